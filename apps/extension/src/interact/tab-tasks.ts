import { createMutex } from '@drawbridge/base';
import { selectDomMode } from '@drawbridge/brain';
import type { Clock } from '@drawbridge/link';
import { BridgeError, LIMITS, type TaskEvent } from '@drawbridge/protocol';
import {
  type BodyCall,
  createCallBody,
  createTaskControl,
  runTask,
  type TaskControl,
  type TaskDecider,
} from '@drawbridge/runtime/task';
import type { TabTask } from '../wire.ts';
import type { StoredValues } from './stored-values.ts';
import type { TabSessions } from './tab-sessions.ts';
import { afterEvent, heldAs, isOver, parseRecord, type TabTaskRecord } from './tab-task-record.ts';

export interface TabTasksOptions {
  /** Calls to the runtime of a lent tab; undefined if it is no longer lent. Read before each call. */
  readonly callOf: (tabId: number) => BodyCall | undefined;
  /** The decider, read before each call. Throws a BridgeError if there is none. */
  readonly deciderOf: () => TaskDecider;
  readonly sessions: Pick<TabSessions, 'of' | 'use' | 'closed'>;
  readonly storage: StoredValues;
  readonly clock: Clock;
  readonly newId: () => string;
  /** INT-109, from the settings. */
  readonly semantic: () => boolean;
  /** INT-269 */
  readonly hashPicture?: (image: string) => Promise<string>;
  readonly maxSteps?: number;
  readonly onChange: () => void;
  /** Called with each event once it is stored, in order, for the server that sent the task. */
  readonly onEvent?: (task: TabTask, event: TaskEvent) => void;
}

export interface TabTaskOrder {
  readonly tabId: number;
  readonly query: string;
  readonly from: TabTask['from'];
  /** The server's id; a new one for the panel. */
  readonly taskId?: string;
  /** The task fails after this time. */
  readonly timeoutMs?: number;
}

/** Tasks run by this extension, at most one per tab. Refusals are BridgeErrors for people. */
export type TabTasks = ReturnType<typeof createTabTasks>;

interface Live {
  record: TabTaskRecord;
  /** Undefined for a task that ended before this worker started. */
  control?: TaskControl;
  /** Resolves when nothing of it runs any more. */
  over: Promise<void>;
}

const INDEX = 'tab_tasks';
const MAX_STEPS = 50;
/** A longer timer would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;
const keyOf = (tabId: number): string => `tab_task_${tabId}`;

export function createTabTasks(options: TabTasksOptions) {
  const { callOf, deciderOf, sessions, storage, clock, newId, onChange, onEvent } = options;
  const { maxSteps = MAX_STEPS } = options;
  const live = new Map<number, Live>();
  /** Concurrent read-modify-writes of one key would lose one. */
  const turn = createMutex();
  let isClosed = false;

  const keepIndex = (): Promise<void> => storage.set(INDEX, [...live.keys()]);

  const put = async (tab: Live, record: TabTaskRecord): Promise<void> => {
    if (isClosed) throw new Error('The worker is stopping.');
    await storage.set(keyOf(record.task.tabId), record);
    tab.record = record;
  };

  /** Reports a released tab; not retried. */
  const callIn =
    (tabId: number): BodyCall =>
    (...args) =>
      callOf(tabId)?.(...args) ?? Promise.reject(notLent());

  const run = (tab: Live): void => {
    const { task, checkpoint, words, held, deadline } = tab.record;
    const { taskId, tabId, query } = task;
    const control = createTaskControl();
    tab.control = control;
    for (const word of words.slice(checkpoint?.heard ?? 0)) control.personMessages(word);
    if (held === 'paused') control.pause();
    if (held === 'taken_over') control.takeOver();
    if (callOf(tabId) === undefined) control.cancel(notLent().message);
    const late = () => control.giveUp('The task timed out.');
    const left = Math.min(Math.max(0, (deadline ?? 0) - clock.now()), LONGEST_MS);
    const cancel = deadline === undefined ? () => {} : clock.after(left, late);
    const running = async (): Promise<void> => {
      const sessionId = await sessions.of(tabId);
      let known = checkpoint?.sessionId ?? sessionId;
      await runTask({
        task: { taskId, query, tabId, maxSteps, ...(sessionId !== undefined && { sessionId }) },
        page: createCallBody(callIn(tabId), {
          ...{ semantic: options.semantic, selectMode: selectDomMode },
          ...(options.hashPicture && { hashPicture: options.hashPicture }),
        }),
        decider: { interact: (...args) => deciderOf().interact(...args) },
        ...{ clock, control },
        onEvent: (told) =>
          turn(async () => {
            const { sessionId: given = known } = told.checkpoint;
            // Only a new one: the person may have chosen another for the next task.
            if (given !== undefined && given !== known) await sessions.use(tabId, given);
            known = given;
            await put(tab, afterEvent(tab.record, told));
            onEvent?.(tab.record.task, told.event);
            onChange();
          }),
        ...(checkpoint && { resume: { checkpoint } }),
      });
    };
    tab.over = running()
      .catch((error: unknown) => broken(tab, error))
      .finally(cancel);
  };

  /** Storing failed, so nothing more was done; the next worker finds the stored state. */
  const broken = (tab: Live, error: unknown): void => {
    if (isClosed) return;
    const message = `The task stopped: ${error instanceof Error ? error.message : String(error)}`;
    const task: TabTask = { ...tab.record.task, state: 'failed', message, endedAt: clock.now() };
    tab.record = { ...tab.record, task };
    onChange();
  };

  const running = (tabId: number): { readonly tab: Live; readonly control: TaskControl } => {
    const tab = live.get(tabId);
    if (tab?.control === undefined || isOver(tab.record.task)) throw noTask();
    return { tab, control: tab.control };
  };

  const steer = (tabId: number, act: (control: TaskControl) => void): Promise<void> =>
    turn(async () => {
      const { tab, control } = running(tabId);
      act(control);
      const state = control.state();
      await put(tab, heldAs(tab.record, state === 'paused' || state === 'taken_over' ? state : undefined));
      onChange();
    });

  const stop = async (tabId: number, why?: string): Promise<void> => {
    const tab = live.get(tabId);
    tab?.control?.cancel(why);
    await tab?.over;
  };

  return {
    /** Last task of each tab. */
    tasks: (): Readonly<Record<number, TabTask>> =>
      Object.fromEntries([...live].map(([tabId, { record }]) => [tabId, record.task])),
    /** Resolves when it is stored and running. */
    start: ({ tabId, query, from, taskId = newId(), timeoutMs }: TabTaskOrder): Promise<TabTask> =>
      turn(async () => {
        const asked = query.trim();
        if (asked === '' || asked.length > LIMITS.query.value) throw badQuery();
        const before = live.get(tabId);
        if (before !== undefined && !isOver(before.record.task)) throw busy();
        if (callOf(tabId) === undefined) throw notLent();
        const startedAt = clock.now();
        const task: TabTask = {
          ...{ taskId, tabId, query: asked, from, startedAt },
          ...{ state: 'running', takenOver: false, events: [] },
        };
        const record: TabTaskRecord = {
          ...{ task, words: [] },
          ...(timeoutMs !== undefined && { deadline: startedAt + timeoutMs }),
        };
        const tab: Live = { record, over: Promise.resolve() };
        await put(tab, record);
        live.set(tabId, tab);
        await keepIndex();
        run(tab);
        onChange();
        return task;
      }),
    /** An answer or a steering message. Resolves when stored. */
    sendMessage: (tabId: number, text: string): Promise<void> =>
      turn(async () => {
        const { tab, control } = running(tabId);
        await put(tab, { ...tab.record, words: [...tab.record.words, text] });
        control.personMessages(text);
      }),
    stop: async (tabId: number, why?: string): Promise<void> => {
      running(tabId);
      await stop(tabId, why);
    },
    pause: (tabId: number): Promise<void> => steer(tabId, (control) => control.pause()),
    resume: (tabId: number): Promise<void> => steer(tabId, (control) => control.resume()),
    takeOver: (tabId: number): Promise<void> => steer(tabId, (control) => control.takeOver()),
    resumeAgent: (tabId: number): Promise<void> => steer(tabId, (control) => control.resumeAgent()),
    /** Called when the tab was taken back: its task ends, and stays readable. */
    released: (tabId: number): Promise<void> => stop(tabId, 'The tab was taken back.'),
    /** Called when the tab was closed: everything about it is forgotten (INT-153). */
    async closed(tabId: number): Promise<void> {
      await stop(tabId, 'The tab was closed.');
      await turn(async () => {
        live.delete(tabId);
        await Promise.all([keepIndex(), storage.remove(keyOf(tabId)), sessions.closed(tabId)]);
        onChange();
      });
    },
    /** Called once at worker start, when lent tabs are known: continues running tasks. */
    restore: (): Promise<void> =>
      turn(async () => {
        const index = await storage.get(INDEX);
        for (const tabId of Array.isArray(index) ? index.filter(Number.isInteger) : []) {
          const record = parseRecord(await storage.get(keyOf(tabId)));
          if (record === undefined || live.has(tabId)) continue;
          const tab: Live = { record, over: Promise.resolve() };
          live.set(tabId, tab);
          if (!isOver(record.task)) run(tab);
        }
        onChange();
      }),
    /** Leaves everything as stored. Idempotent. */
    close(): void {
      if (isClosed) return;
      isClosed = true;
      for (const { control } of live.values()) control?.cancel('The worker is stopping.');
    },
  };
}

const notLent = (): BridgeError =>
  new BridgeError('runtime_not_found', 'The tab is not lent. Lend it, and start the task again.', {
    recoverable: false,
  });
const noTask = (): BridgeError =>
  new BridgeError('task_not_found', 'No task is running in this tab. Start one.');
const busy = (): BridgeError =>
  new BridgeError('task_busy', 'A task is running in this tab already. Stop it first.');
const badQuery = (): BridgeError =>
  new BridgeError(
    'invalid_request',
    `Say what to do, in 1 to ${LIMITS.query.value.toLocaleString('en')} characters.`,
  );
