import type { JsonObject } from '@drawbridge/ledger';
import type { CoreClock } from '../core/ports.ts';
import type { TaskReport } from './task-client.ts';

export interface ClientTask {
  readonly task_id: string;
  readonly prompt: string;
  /** Includes `priority` and `timeout` (in milliseconds). */
  readonly metadata?: JsonObject | undefined;
}

/**
 * `busy`: the client runs another task, so this one goes back to the queue (TSK-54). `unanswered`: TSK-55, or
 * the connection was lost or the time was up before an answer.
 */
export type Acceptance = 'accepted' | 'busy' | 'unanswered' | { readonly rejected: string };

export interface TaskEnd {
  readonly state: 'completed' | 'failed' | 'cancelled' | 'unknown';
  /** The client's last message, or the problem: the only result (TSK-60). */
  readonly details: string;
}

export interface TaskRun {
  readonly client_id?: string;
  readonly accepted: Promise<Acceptance>;
  /** Always resolves, after `accepted`: also when the task was rejected. */
  readonly ended: Promise<TaskEnd>;
}

/** A sent task, as its client sees it. */
export interface RunningTask {
  /** Whether the client may be working on it, also after the relay has given up (TSK-57). */
  readonly isThere: () => boolean;
  readonly receive: (message: TaskReport) => void;
  /** Called when the connection is lost. */
  readonly lose: () => void;
}

interface RunOptions {
  readonly task: ClientTask;
  readonly clock: CoreClock;
  readonly on: (message: TaskReport) => void;
  /**
   * Called when the client's work on it has changed. `over`: for good. `busy`: the client works on something
   * else.
   */
  readonly onChange: (how: 'silent' | 'running' | 'over' | 'busy') => void;
  readonly onError: (error: unknown) => void;
}

const ALREADY_EXECUTING = 'Already executing a task';
const ANSWER_MS = 10_000;
/** A longer timer would fire at once: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_MS = 2 ** 31 - 1;

const UNANSWERED =
  'The client neither accepted nor rejected the task within 10 s. Look whether it still works.';
const LOST =
  'The connection to the client was lost: nobody can tell how the task ended. Look at the page before you send it again.';
const late = (ms: number): string =>
  `The task reached its time limit of ${ms} ms. The client may still be working on it.`;

const ENDS = { 'task.ok': 'completed', 'task.fail': 'failed', 'task.cancel': 'cancelled' } as const;
type ReportOf<Type extends TaskReport['type']> = Extract<TaskReport, { readonly type: Type }>;
type EndState = keyof typeof ENDS;
const isEnd = (state: string): state is EndState => Object.hasOwn(ENDS, state);

export function createTaskRun(options: RunOptions): { readonly run: TaskRun; readonly running: RunningTask } {
  const { task, clock, on, onChange, onError } = options;
  const accepted = Promise.withResolvers<Acceptance>();
  const ended = Promise.withResolvers<TaskEnd>();
  /** `sent`: not answered yet. `running`: accepted. `silent`: given up before an answer. */
  let there: 'sent' | 'running' | 'silent' | 'over' = 'sent';
  /** Whether the caller has received the end. */
  let isSettled = false;

  const settle = (acceptance: Acceptance, end: TaskEnd): void => {
    isSettled = true;
    cancelLimit();
    accepted.resolve(acceptance);
    ended.resolve(end);
  };
  const report = (message: TaskReport): void => {
    if (isSettled) return;
    try {
      on(message);
    } catch (error) {
      onError(error);
    }
  };
  const isOver = (acceptance: Acceptance, end: TaskEnd): void => {
    there = 'over';
    cancelAnswer();
    settle(acceptance, end);
    onChange(acceptance === 'busy' ? 'busy' : 'over');
  };

  const cancelAnswer = clock.after(ANSWER_MS, () => {
    there = 'silent';
    settle('unanswered', { state: 'failed', details: UNANSWERED });
    onChange('silent');
  });
  const timeout = task.metadata?.['timeout'];
  const cancelLimit =
    typeof timeout !== 'number'
      ? () => {}
      : clock.after(Math.min(Math.max(timeout, 0), LONGEST_MS), () => {
          settle('unanswered', { state: 'failed', details: late(timeout) });
        });

  const accept = (message: TaskReport): void => {
    if (there === 'running') return;
    there = 'running';
    cancelAnswer();
    report(message);
    accepted.resolve('accepted');
    onChange('running');
  };

  const reject = (message: ReportOf<'task_rejected'>): void => {
    report(message);
    const { reason } = message;
    // TSK-40: a rejection after the acceptance ends the task.
    const refusal = reason === ALREADY_EXECUTING && there !== 'running' ? 'busy' : { rejected: reason };
    isOver(refusal, { state: 'failed', details: reason });
  };

  const follow = (message: ReportOf<'execution_event'>): void => {
    const { state, data } = message.event;
    report(message);
    if (isEnd(state)) isOver('accepted', { state: ENDS[state], details: data.details });
  };

  const receive = (message: TaskReport): void => {
    if (there === 'over') return;
    if (message.type === 'task_accepted') accept(message);
    else if (message.type === 'task_rejected') reject(message);
    // TSK-31: no event comes before the acceptance.
    else if (there === 'running') follow(message);
  };

  return {
    run: { accepted: accepted.promise, ended: ended.promise },
    running: {
      isThere: () => there === 'sent' || there === 'running',
      receive,
      lose() {
        if (there === 'over') return;
        there = 'over';
        cancelAnswer();
        settle('unanswered', { state: 'unknown', details: LOST });
      },
    },
  };
}
