/** Controls for a person over a running task. Each call is idempotent and valid at any time. */
export interface TaskControl {
  /** Pauses before the next look or action. */
  readonly pause: () => void;
  /** Continues, also after a takeover: the person has returned the page. */
  readonly resume: () => void;
  /** Ends the task, even during a call. */
  readonly cancel: (reason?: string) => void;
  /** Ends the task as a failure rather than a person's wish (TSK-56). */
  readonly giveUp: (reason: string) => void;
  /** Pauses and voids the pending decision, because a person works in the page. */
  readonly takeOver: () => void;
  readonly resumeAgent: () => void;
  /** An answer or a hint from a person, sent to the decider with its next call (INT-138). */
  readonly personMessages: (text: string) => void;
  readonly state: () => ControlState;
  /** Counts takeovers: a decision from before the last one is about another page. */
  readonly takeovers: () => number;
  /** Aborts with `cancel` and `giveUp`. */
  readonly signal: AbortSignal;
  /** The person's messages so far, oldest first. */
  readonly words: () => readonly string[];
  /** Resolves at the next change of any of these. */
  readonly changed: () => Promise<void>;
}

/** Ends the task; the message is for a person. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
}

export type ControlState = 'running' | 'paused' | 'taken_over' | 'cancelled';

export function createTaskControl(): TaskControl {
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
    pause: () => become('paused', ['running']),
    resume: () => become('running', ['paused', 'taken_over']),
    cancel: (reason = 'A person cancelled the task.') => end(reason),
    giveUp: (reason) => end(new TaskFailure(reason)),
    takeOver: () => {
      if (state === 'running' || state === 'paused') takeovers++;
      become('taken_over', ['running', 'paused']);
    },
    resumeAgent: () => become('running', ['taken_over']),
    personMessages: (text) => {
      words.push(text);
      emit();
    },
    state: () => state,
    takeovers: () => takeovers,
    signal: abort.signal,
    words: () => words,
    changed: () => new Promise((resolve) => waiting.add(resolve)),
  };
}
