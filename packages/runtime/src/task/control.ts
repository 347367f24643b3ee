/** How a person, or a screen for them, steers a running task. Each call may come at any time, and twice. */
export interface TaskControl {
  /** Holds before the next look or act. */
  readonly pause: () => void;
  /** Goes on, also where a person had taken over: who says so has given the page back. */
  readonly resume: () => void;
  /** Ends the task, in the middle of a call too. */
  readonly cancel: (reason?: string) => void;
  /** The same, as a failure: nobody wanted it to end (TSK-56). */
  readonly giveUp: (reason: string) => void;
  /** Holds, and what was decided meanwhile is not done: the person works in the page. */
  readonly takeOver: () => void;
  readonly handBack: () => void;
  /** An answer to what was asked, or a word of steering: the mind gets it with its next call (INT-138). */
  readonly said: (text: string) => void;
  readonly state: () => ControlState;
  /** How often a person has taken over: who decided before the last time saw another page. */
  readonly takeovers: () => number;
  /** Ends with `cancel` and `giveUp`. */
  readonly signal: AbortSignal;
  /** What was said so far, oldest first. */
  readonly words: () => readonly string[];
  /** Resolves at the next change of any of these. */
  readonly changed: () => Promise<void>;
}

/** The task cannot go on; its message is for a person. */
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
  const tell = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  const become = (wanted: ControlState, from: readonly ControlState[]) => {
    if (!from.includes(state)) return;
    state = wanted;
    tell();
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
    handBack: () => become('running', ['taken_over']),
    said: (text) => {
      words.push(text);
      tell();
    },
    state: () => state,
    takeovers: () => takeovers,
    signal: abort.signal,
    words: () => words,
    changed: () => new Promise((resolve) => waiting.add(resolve)),
  };
}
