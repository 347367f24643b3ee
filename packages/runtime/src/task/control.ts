/** Controls for a person over a running task. Each call is idempotent and valid at any time. */
export type TaskControl = ReturnType<typeof createTaskControl>;

/** Ends the task; the message is for a person. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
}

export type ControlState = 'running' | 'paused' | 'taken_over' | 'cancelled';

export function createTaskControl() {
  const abort = new AbortController();
  const words: string[] = [];
  let state: ControlState = 'running';
  let takeovers = 0;
  const waiting = new Set<() => void>();
  const emit = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  const become = (wanted: ControlState, from: readonly ControlState[]) => {
    if (!from.includes(state)) return;
    state = wanted;
    emit();
  };
  const end = (reason: string | TaskFailure) => {
    become('cancelled', ['running', 'paused', 'taken_over']);
    abort.abort(reason);
  };
  return {
    /** Pauses before the next look or action. */
    pause: () => become('paused', ['running']),
    /** Continues, also after a takeover: the person has returned the page. */
    resume: () => become('running', ['paused', 'taken_over']),
    /** Ends the task, even during a call. */
    cancel: (reason: string = 'A person cancelled the task.') => end(reason),
    /** Ends the task as a failure rather than a person's wish (TSK-56). */
    giveUp: (reason: string) => end(new TaskFailure(reason)),
    /** Pauses and voids the pending decision, because a person works in the page. */
    takeOver: (): void => {
      if (state === 'running' || state === 'paused') takeovers++;
      become('taken_over', ['running', 'paused']);
    },
    resumeAgent: () => become('running', ['taken_over']),
    /** An answer or a hint from a person, sent to the decider with its next call (INT-138). */
    personMessages: (text: string): void => {
      words.push(text);
      emit();
    },
    state: (): ControlState => state,
    /** Counts takeovers: a decision from before the last one is about another page. */
    takeovers: (): number => takeovers,
    /** Aborts with `cancel` and `giveUp`. */
    signal: abort.signal,
    /** The person's messages so far, oldest first. */
    words: (): readonly string[] => words,
    /** Resolves at the next change of any of these. */
    changed: (): Promise<void> => new Promise((resolve) => waiting.add(resolve)),
  };
}
