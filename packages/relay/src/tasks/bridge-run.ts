import type { Bridge, RuntimeView } from '@drawbridge/bridge';
import type { JsonObject } from '@drawbridge/ledger';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import { type Activity, BridgeError, type TaskState } from '@drawbridge/protocol';
import { maskShapesIn } from '@drawbridge/protocol/secrets';
import {
  type BodyCall,
  createCallBody,
  createTaskControl,
  runTask,
  type StepRecord,
  type TaskCheckpoint,
  type TaskControl,
  type TaskDecider,
  type TaskStepEvent,
} from '@drawbridge/runtime/task';
import type { NamedAddresses } from '../approvals/named-addresses.ts';
import type { CoreClock } from '../core/ports.ts';
import type { AgentSessions } from '../interact/agent-sessions.ts';
import type { KeepPicture } from './step-pictures.ts';
import { budgetOf } from './task-budget.ts';
import { cancelledEnd, FAILED_HERE_END, lateEnd } from './task-ends.ts';
import { messagesOf, statusMessage } from './task-messages.ts';
import type { TaskHost } from './task-queue.ts';
import { type ApiTask, queryOf, type TaskEnd } from './task-record.ts';
import type { RunOutcome, TaskRun } from './task-runners.ts';
import type { TaskStore } from './task-store.ts';

export interface BridgeRunOptions {
  readonly bridge: Pick<Bridge, 'call' | 'runtimes' | 'watch'>;
  readonly store: TaskStore;
  readonly sessions: Pick<AgentSessions, 'status'>;
  readonly clock: CoreClock;
  readonly schemas: Pick<SchemaChecks, 'check'>;
  readonly named: Pick<NamedAddresses, 'add'>;
  /** The decider of a task's steps. */
  readonly deciderOf: (task: ApiTask) => TaskDecider;
  /** Step pictures are taken only when this is set. */
  readonly keepPicture?: KeepPicture;
  readonly onError: (error: unknown) => void;
}

export function hostOf({ runtime_id, ready, status, liveness }: RuntimeView): TaskHost {
  const { runtime_key, url } = ready;
  return {
    ...{ kind: 'runtime', id: runtime_id, url: status?.url ?? url },
    ...(runtime_key !== undefined && { key: runtime_key }),
    ...(liveness === 'quiet' && { isQuiet: true }),
  };
}

/** Runs the task loop in this process over calls to one runtime, resuming from its checkpoint. */
export function startOnBridge(task: ApiTask, host: TaskHost, options: BridgeRunOptions): TaskRun {
  const { store, clock, onError } = options;
  const { task_id, session_id, api } = task;
  const control = createTaskControl();
  let words = api.words;
  /** How many words the decider has received; undefined before the start. */
  let given: number | undefined;
  let isLeft = false;
  let isLate = false;
  const limit = createTimeLimit(clock, { ran_ms: api.ran_ms ?? 0, limit_ms: api.order.timeout_ms }, () => {
    isLate = true;
    control.cancel('The time limit was reached.');
  });

  const receive = (all: readonly string[]): void => {
    if (all.length > words.length) words = all;
    if (given === undefined) return;
    for (const word of words.slice(given)) control.personMessages(word);
    given = words.length;
  };

  const onEvent = async (told: TaskStepEvent): Promise<void> => {
    // The task resumes from its last stored state.
    if (isLeft) throw new Error('The relay is stopping.');
    const { thumbnail, step } = told;
    const picture = thumbnail && (await options.keepPicture?.(task, thumbnail));
    const shown = step && picture !== undefined ? { ...told, step: { ...step, thumbnail: picture } } : told;
    const moved = stateAfter(told.event.state, told.question !== undefined);
    if (moved === 'running') limit.start();
    else if (moved !== undefined) limit.hold();
    const ran_ms = limit.ran();
    await store.change(task_id, (now) => changeBy(told, moved, ran_ms, now), messagesOf(task_id, shown));
    const activity = activityOf(told);
    if (activity !== undefined) options.sessions.status(session_id, activity);
  };

  const run = async (): Promise<RunOutcome> => {
    // A task that began here before is not given to another tab: it fails with the reason.
    if (host.isQuiet === true && api.started_at === undefined) {
      const isThere = await answers(callTo(task, host, options), control.signal);
      if (control.signal.aborted) return isLeft ? 'left' : cancelledEnd(reasonOf(control.signal));
      if (!isThere) return 'silent';
    }
    const begun = statusMessage(`${task_id}_begun`, `Begins at ${api.order.url ?? host.url ?? host.id}.`);
    const started = await store.change(
      task_id,
      (now) => {
        const { started_at = clock.now(), prompted = now.api.words.length } = now.api;
        return { state: 'running', api: { place: host, started_at, prompted } };
      },
      api.started_at === undefined ? [begun] : [],
    );
    const { order, checkpoint, prompted = 0 } = started.api;
    limit.start();
    try {
      given = prompted + (checkpoint?.heard ?? 0);
      receive(started.api.words);
      if (task.state === 'paused') control.pause();
      const end = await runLoop(started, { ...options, control, onEvent }, callTo(started, host, options));
      return isLate && end.state === 'cancelled' ? lateEnd(order.timeout_ms) : end;
    } finally {
      limit.hold();
      options.sessions.status(session_id, { kind: 'idle' });
    }
  };

  return {
    ...{ host, session_id, receive },
    over: run().catch((error: unknown): RunOutcome => {
      if (isLeft) return 'left';
      onError(error);
      return FAILED_HERE_END;
    }),
    cancel: control.cancel,
    pause: control.pause,
    resume: control.resume,
    takeOver: control.takeOver,
    resumeAgent: control.resumeAgent,
    leave() {
      isLeft = true;
      control.cancel('The relay is stopping.');
    },
  };
}

interface Loop extends Pick<BridgeRunOptions, 'clock' | 'schemas' | 'deciderOf' | 'keepPicture'> {
  readonly control: TaskControl;
  readonly onEvent: (told: TaskStepEvent) => Promise<void>;
}

async function runLoop(task: ApiTask, loop: Loop, call: BodyCall): Promise<TaskEnd> {
  const { clock, schemas, deciderOf, control, onEvent } = loop;
  const { task_id, session_id, api } = task;
  const { order, checkpoint, trace } = api;
  try {
    if (order.url !== undefined && checkpoint === undefined) {
      await call('browser.navigate', { url: order.url }, control.signal);
    }
  } catch (error) {
    if (control.signal.aborted) return cancelledEnd(reasonOf(control.signal));
    if (!(error instanceof BridgeError)) throw error;
    return {
      state: 'failed',
      code: error.code,
      message: `${order.url} could not be opened: ${error.message}`,
    };
  }
  const { status, message, result } = await runTask({
    task: { taskId: task_id, sessionId: session_id, query: queryOf(api), maxSteps: budgetOf(order).steps },
    page: createCallBody(call, { thumbnails: loop.keepPicture !== undefined }),
    ...{ decider: deciderOf(task), clock, control, onEvent },
    ...(checkpoint && { resume: { checkpoint, steps: trace } }),
  });
  const given = result !== undefined && { result };
  if (status !== 'completed') return { state: status, code: status, message, ...given };
  const problem = await resultProblem(order.schema, result, schemas, task.device_id);
  if (problem === undefined) return { state: 'completed', message, ...given };
  return { state: 'failed', code: 'invalid_result', message: problem, ...given };
}

const reasonOf = ({ reason }: AbortSignal): string =>
  typeof reason === 'string' ? reason : 'The task was cancelled.';

function changeBy(
  { checkpoint, record, question, plan }: TaskStepEvent,
  moved: TaskState | undefined,
  ran_ms: number,
  { state, api }: ApiTask,
) {
  return {
    state: moved ?? state,
    api: {
      ...{ checkpoint: maskedCheckpoint(checkpoint), ran_ms },
      question: question?.text ?? (moved === undefined ? api.question : null),
      ...(record && { trace: [...api.trace, maskedRecord(record)] }),
      ...(plan && { plan }),
    },
  };
}

/** Masks page text by its shape; addresses and selectors that are needed to replay the step stay. */
function maskedRecord(record: StepRecord): StepRecord {
  const { index, action, subject, status, before, after, healed, ...words } = record;
  return { ...record, ...maskShapesIn(words) };
}

function maskedCheckpoint({ last, ...checkpoint }: TaskCheckpoint): TaskCheckpoint {
  if (last === undefined) return checkpoint;
  const { previousUrl, ...words } = last;
  return { ...checkpoint, last: { previousUrl, ...maskShapesIn(words) } };
}

/** Undefined for no change; the end of a task is not reported by the loop. */
function stateAfter(event: TaskStepEvent['event']['state'], asks: boolean): TaskState | undefined {
  if (event === 'task.pause') return asks ? 'waiting' : 'paused';
  return event === 'task.resume' || event === 'task.start' ? 'running' : undefined;
}

function activityOf({ event, step, question }: TaskStepEvent): Activity | undefined {
  if (question !== undefined) return { kind: 'waiting_for_user', label: question.text.slice(0, 200) };
  if (event.state === 'act.start')
    return { kind: 'running_command', label: step?.action.slice(0, 200) ?? '' };
  return event.state === 'step.start' ? { kind: 'thinking' } : undefined;
}

/** TSK-66: asks a quiet tab for its address. Any other error is an answer. */
async function answers(call: BodyCall, signal: AbortSignal): Promise<boolean> {
  try {
    await call('page.info', {}, signal);
    return true;
  } catch (error) {
    return !(error instanceof BridgeError && NO_ANSWER.has(error.code));
  }
}

const NO_ANSWER: ReadonlySet<string> = new Set(['runtime_not_ready', 'handler_timeout']);

/** A tab may come back with another id when it shows another page. */
function callTo(
  { api: { asked_by, order } }: ApiTask,
  { id, key }: TaskHost,
  { bridge, named }: Pick<BridgeRunOptions, 'bridge' | 'named'>,
): BodyCall {
  const runtimeId = (): string => {
    const there = bridge.runtimes();
    if (key === undefined || there.some(({ runtime_id }) => runtime_id === id)) return id;
    return there.find(({ ready }) => ready.runtime_key === key)?.runtime_id ?? id;
  };
  return async (name, args, signal, timeout_ms) => {
    signal.throwIfAborted();
    const { call_id, output, cancel } = bridge.call({
      ...{ name, arguments: { ...args }, runtime_id: runtimeId() },
      ...(timeout_ms !== undefined && { timeout_ms }),
    });
    const forget =
      asked_by === 'person' && order.url !== undefined ? named.add(call_id, order.url) : undefined;
    const stop = (): void => cancel(reasonOf(signal));
    signal.addEventListener('abort', stop);
    try {
      return await output;
    } finally {
      forget?.();
      signal.removeEventListener('abort', stop);
    }
  };
}

/** Undefined when the result fits the schema; otherwise the problem, in words for the caller. */
async function resultProblem(
  schema: JsonObject | undefined,
  result: unknown,
  checks: Pick<SchemaChecks, 'check'>,
  device_id: string,
): Promise<string | undefined> {
  if (schema === undefined) return undefined;
  if (result === undefined) return 'The task ended without a result, and its schema asks for one.';
  const checked = await checks.check(schema, result, device_id);
  if (checked.ok) return undefined;
  const subject = checked.path === '' ? 'The result' : `The result's ${checked.path}`;
  return `${subject} ${checked.message}.`;
}

/** Counts a task's running time across restarts, excluding time that people take to answer. */
function createTimeLimit(
  clock: CoreClock,
  { ran_ms, limit_ms }: { readonly ran_ms: number; readonly limit_ms: number },
  onOver: () => void,
) {
  let before = ran_ms;
  let running: { readonly since: number; readonly cancel: () => void } | undefined;
  const ran = (): number => before + (running === undefined ? 0 : clock.now() - running.since);
  return {
    ran,
    start(): void {
      running ??= { since: clock.now(), cancel: clock.after(Math.max(0, limit_ms - before), onOver) };
    },
    hold(): void {
      before = ran();
      running?.cancel();
      running = undefined;
    },
  };
}
