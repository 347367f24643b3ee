import { RecentMap } from '@drawbridge/base';
import type { Brain, Step, StepAnswer, StepInput, TaskMemory } from '@drawbridge/brain';
import {
  type JsonObject,
  type Ledger,
  LedgerError,
  type TabSessionRecord,
  type TaskRecord,
} from '@drawbridge/ledger';
import type { InteractRequest, InteractResponse } from '@drawbridge/protocol';
import type { CoreClock, Identity } from '../core/ports.ts';
import type { TaskRows } from '../tasks/task-rows.ts';
import type { AgentSessions } from './agent-sessions.ts';
import { blockerOf, type Hide, hidingValues, type Resolution, resolutionWords } from './blockers.ts';
import { askKeyOf, hashOf, taskIdOf } from './call-identity.ts';
import { failureOf, InteractError } from './interact-error.ts';
import { createLookup, isUnheard, knownAnswer } from './lookup.ts';
import { messagesAfter } from './message-list.ts';
import type { Push } from './message-pushes.ts';
import type { MakeSkeleton } from './page-skeleton.ts';
import { preparedRequest } from './prepared-request.ts';
import {
  type Call,
  type CallOptions,
  type CallSession,
  messagesOf,
  partAfter,
  type Round,
  taskAfter,
} from './round.ts';
import { type Decided, decisionMessage, endOf } from './step-messages.ts';
import { factsIn, movedTabSession, startedTabSession, withFacts } from './tab-session.ts';
import { asJson, FRESH_PART, isOwn, trustPart } from './task-part.ts';
import { createTaskStops, endedAnswer } from './task-stops.ts';
import { chatAnswer, taskTypeOf } from './task-type.ts';
import { createThoughtStream } from './thought-stream.ts';
import type { Uploads } from './uploads.ts';

export interface InteractOptions {
  readonly ledger: Ledger;
  readonly sessions: AgentSessions;
  readonly rows: TaskRows;
  readonly clock: CoreClock;
  /** INT-07: ids minted here are UUIDs. */
  readonly uuid: () => string;
  /** Undefined while no brain is set up. */
  readonly brain: () => Brain | undefined;
  readonly makeSkeleton: MakeSkeleton;
  readonly uploads: Pick<Uploads, 'find'>;
  readonly push: Push;
  readonly onError: (error: unknown) => void;
}

export type Interact = ReturnType<typeof createInteract>;

interface Running {
  readonly mark: string;
  readonly stop: AbortController;
  readonly answer: Promise<InteractResponse>;
  session_id?: string;
}

type Data = JsonObject;
type Ask = Extract<StepAnswer, { status: 'needs_context' | 'needs_full_dom' }>;

const MAX_ASKS = 200;
const LABEL_CHARS = 200;

export function createInteract(options: InteractOptions) {
  const { ledger, sessions, rows, clock, uuid, makeSkeleton, uploads, push, onError } = options;
  const running = new Map<string, Running>();
  /** The brain's memory of asks, by first call: an ask stores nothing (INT-102). */
  const asks = new RecentMap<string, TaskMemory>(MAX_ASKS);
  /** A person's data for the next decision, by task. */
  const resolutions = new RecentMap<string, Resolution>(MAX_ASKS);
  const lookup = createLookup({ ledger, uuid });
  const stops = createTaskStops({ rows, clock, onError });
  stops.load().catch(onError);

  const cancel = sessions.onInterrupt((session_id) => {
    const stopped = stops.stop(session_id);
    const flying = [...running.values()].filter((each) => each.session_id === session_id);
    for (const { stop } of flying) stop.abort();
    return stopped || flying.length > 0;
  });

  /** INT-157: the latest session is the one with the latest call or message. */
  const touch = async (session_id: string): Promise<void> => {
    const session = await ledger.tabSession(session_id);
    if (session === undefined) return;
    await ledger.commit([{ do: 'put_tab_session', session: { ...session, updated_at: clock.now() } }]);
  };
  const cancelOnMessage = sessions.onPersonMessage(async ({ session_id }) => {
    await touch(session_id).catch(onError);
    return undefined;
  });

  const think = async (call: Call, input: Omit<StepInput, 'now'>, session_id: string): Promise<Step> => {
    const brain = options.brain();
    if (brain === undefined) throw new InteractError('unavailable', NO_BRAIN);
    const { signal: outer, schema, budgets, isAccountClient = false, onThought } = call.options;
    const signal = outer === undefined ? call.stop.signal : AbortSignal.any([outer, call.stop.signal]);
    // A session's status is stored, so it is sent rarely. The live stream of the task has more.
    const tellers = [
      createThoughtStream(clock, 2_000, (thought) =>
        sessions.status(session_id, {
          kind: 'thinking',
          label: thought.slice(0, LABEL_CHARS).toWellFormed(),
        }),
      ),
      createThoughtStream(clock, 250, (thought) => onThought?.(thought)),
    ];
    try {
      return await brain.step(
        {
          ...{ ...input, now: clock.now(), isComplete: isAccountClient },
          ...(schema && { schema }),
          ...(budgets && { budgets }),
        },
        { signal, onThought: (thought) => tellers.forEach(({ push: hear }) => void hear(thought)) },
      );
    } catch (cause) {
      sessions.status(session_id, { kind: 'idle' });
      if (signal.aborted) throw new InteractError('cancelled', STOPPED, { cause });
      onError(cause);
      const why = cause instanceof Error ? cause.message.slice(0, 500) : String(cause);
      throw new InteractError('brain_failed', `No decision was made, and nothing was stored: ${why}`, {
        cause,
      });
    } finally {
      for (const { close } of tellers) close();
    }
  };

  const decide = async (call: Call, flight: { session_id?: string }): Promise<Data> => {
    const { identity, request, hash, options } = call;
    const task = await lookup.task(call);
    const known = task && knownAnswer(task, hash, options.key);
    if (task !== undefined && isUnheard(task, hash)) await delivered(task.task_id, hash);
    if (known !== undefined) return known;
    const session = await lookup.session(call, task);
    flight.session_id = session.session_id;
    if (!session.isNew)
      await sessions.open({ session_id: session.session_id, title: titleIn(session, request) });
    const part = task && trustPart(task);
    const { said, received } =
      part === undefined
        ? { said: [], received: session.head }
        : await messagesAfter(ledger, session.session_id, part.heard);
    const isAnswer = options.isAnswer ?? (part !== undefined && !part.queries.includes(request.query));
    const resolution = task && resolutions.get(task.task_id);
    const given = resolution === undefined ? [] : [resolutionWords(resolution)];
    const words = isAnswer ? [...new Set([...said, request.query, ...given])] : [...said, ...given];
    const prepared = await preparedRequest(request, part?.screenshot, makeSkeleton);
    sessions.status(session.session_id, { kind: 'thinking' });
    const askKey = askKeyOf(identity.device_id, request);
    const memory = part?.memory ?? asks.get(askKey);
    const file = request.attachment && uploads.find(identity.device_id, request.attachment);
    const facts = factsIn(session.tab);
    const step = await think(
      call,
      { request: prepared, memory, said: words, facts, ...(file && { file }) },
      session.session_id,
    );
    const answer = request.taskType === 'chat_only' ? chatAnswer(step.answer) : step.answer;
    if (isAsk(answer)) {
      sessions.status(session.session_id, { kind: 'idle' });
      return ask(call, task, step.memory, answer, received);
    }
    asks.delete(askKey);
    const task_id =
      task?.task_id ?? (options.key === undefined ? uuid() : taskIdOf(identity.device_id, options.key));
    const isStored = part !== undefined && (!isAnswer || said.includes(request.query));
    const round = { call, task_id, session, prepared, step, answer, received, isStored };
    const data = await store(round, task, hidingValues(Object.values(resolution?.data ?? {})));
    resolutions.delete(task_id);
    return data;
  };

  /** The next equal call is a new one. */
  const delivered = async (task_id: string, hash: string): Promise<void> => {
    await rows.change(task_id, (row) => {
      if (row === undefined || !isUnheard(row, hash)) return undefined;
      const interact = asJson({ ...trustPart(row), undelivered: false });
      return { row: { ...row, body: { ...row.body, interact } } };
    });
  };

  /** INT-102: an ask is not a step. An existing task only remembers that it asked. */
  const ask = async (
    { identity, request }: Call,
    task: TaskRecord | undefined,
    memory: TaskMemory,
    answer: Ask,
    received: number,
  ): Promise<Data> => {
    if (task === undefined) {
      asks.set(askKeyOf(identity.device_id, request), memory);
      return asJson({ ...answer, ...(request.sessionId && { sessionId: request.sessionId }) });
    }
    const { messages } = trustPart(task) ?? {};
    await rows.change(task.task_id, (row) => {
      const part = row && trustPart(row);
      // A step that was stored in between remembers more.
      if (row === undefined || row.settled_at !== null || part?.messages !== messages) return undefined;
      const asked = part ?? { ...FRESH_PART, heard: received, queries: [request.query] };
      const interact = asJson({ ...asked, memory });
      return { row: { ...row, body: { ...row.body, interact }, updated_at: clock.now() } };
    });
    return asJson({ ...answer, taskId: task.task_id, sessionId: task.session_id });
  };

  /** Read after the decision: a person may have renamed the session during it (INT-155). */
  const tabAfter = async ({ call, session }: Round, now: number): Promise<TabSessionRecord> => {
    const { session_id, title } = session;
    const { device_id } = call.identity;
    const tab = (await ledger.tabSession(session_id)) ?? session.tab;
    return tab
      ? movedTabSession(tab, call.request, now)
      : startedTabSession(call.request, {
          session_id,
          device_id,
          now,
          ...(title !== undefined && { title }),
        });
  };

  const store = async (round: Round, found: TaskRecord | undefined, hide: Hide): Promise<Data> => {
    const { task_id, session, prepared, answer } = round;
    const { session_id } = session;
    const now = clock.now();
    const blocked = blockerOf(answer, round.step.confidence);
    const taskType = taskTypeOf(round.call.request);
    const data = asJson({
      ...answer,
      ...(blocked && { blockerInfo: blocked }),
      ...(taskType && { taskType }),
      taskId: task_id,
      sessionId: session_id,
    });
    const tab = await tabAfter(round, now);
    await sessions.open({ session_id, title: tab.title });
    const before = found && trustPart(found);
    const decision = decisionMessage({
      task_id,
      request: prepared,
      answer,
      messages: before?.messages ?? 0,
      now,
    });
    const part = hide(partAfter(round, before, data, decision));
    // The owner of the task informs people: the task loop sees more than a request contains.
    const messages =
      found === undefined || isOwn(found) ? hide(messagesOf(round, before, part, decision)) : [];
    let ended: Data | undefined;
    let isFirst = true;
    const stored = await rows.change(task_id, async (row) => {
      if (row === undefined && (found !== undefined || !isFirst))
        throw new InteractError('session_not_found', DELETED, { path: 'sessionId' });
      isFirst = false;
      ended = row === undefined || row.settled_at === null ? undefined : endedAnswer(row);
      if (ended !== undefined) return undefined;
      // The owner may have changed something else, so the step is stored on top of that change.
      if ((row && trustPart(row))?.messages !== before?.messages) throw busy();
      const moved = withFacts(await tabAfter(round, now), hide(round.step.facts));
      return {
        ...{ row: taskAfter(round, row, part, now), text: part.queries[0], messages },
        writes: [{ do: 'put_tab_session', session: moved }],
      };
    });
    if (ended !== undefined) return ended;
    if (stored !== undefined) finish(stored, hide(answer));
    return data;
  };

  const finish = (task: Omit<TaskRecord, 'revision'>, answer: Decided['answer']): void => {
    const { session_id, task_id } = task;
    const isOurs = isOwn(task);
    if (isOurs) sessions.status(session_id, activityAfter(answer));
    const { status } = answer;
    // The owner of the task reports its actions, without the input of secret fields.
    const action = isOurs ? answer.action : undefined;
    const said = { ...(action !== undefined && { action }), ...(status !== undefined && { status }) };
    push(session_id, 'interact_response', {
      type: 'interact_response',
      sessionId: session_id,
      taskId: task_id,
      ...said,
    });
  };

  /** Also answers a task that was stopped during the decision. */
  const decideOrEnd = async (call: Call, flight: { session_id?: string }): Promise<InteractResponse> => {
    try {
      return trustResponse(await decide(call, flight));
    } catch (error) {
      const { taskId } = call.request;
      if (taskId !== undefined && call.stop.signal.aborted) {
        await stops.stopped(taskId);
        const task = await ledger.task(taskId);
        if (task !== undefined && task.settled_at !== null) return trustResponse(endedAnswer(task));
      }
      if (error instanceof InteractError) return failureOf(error);
      onError(error);
      return failureOf(error instanceof LedgerError ? NOT_STORED : INTERNAL_ERROR);
    }
  };

  return {
    /**
     * INT-315: a person has settled what the task waited for. The data goes to the next decision, once, and is
     * kept in memory alone: it may be a secret.
     */
    async resume(
      { device_id }: Identity,
      { session_id, task_id }: { readonly session_id: string; readonly task_id: string },
      resolution: Resolution,
    ): Promise<{ readonly taskId: string; readonly status: 'executing'; readonly resumedAt: string }> {
      const now = clock.now();
      await rows.change(task_id, (task) => {
        if (task === undefined || task.device_id !== device_id || task.session_id !== session_id)
          throw new InteractError('task_not_found', 'There is no such task in this session.');
        if (task.state !== 'waiting' || !isOwn(task)) throw NOT_WAITING;
        return { row: { ...task, state: 'running', updated_at: now } };
      });
      resolutions.set(task_id, resolution);
      return { taskId: task_id, status: 'executing', resumedAt: new Date(now).toISOString() };
    },
    /**
     * The next step of a task. A task started elsewhere (tasks/) keeps its state and its end, and its owner
     * informs people. Only `body.interact` of its row is changed.
     */
    interact(
      identity: Identity,
      request: InteractRequest,
      options: CallOptions = {},
    ): Promise<InteractResponse> {
      const hash = hashOf(request);
      const mark = options.key ?? hash;
      // Keyed by device: nobody joins another device's call or learns of it (INT-73).
      const place = JSON.stringify([identity.device_id, request.taskId ?? mark]);
      const there = running.get(place);
      // INT-74
      if (there !== undefined) return there.mark === mark ? there.answer : Promise.resolve(failureOf(busy()));
      const stop = new AbortController();
      const flight: { session_id?: string } = {};
      const answer = decideOrEnd({ identity, request, options, hash, stop }, flight).finally(() =>
        running.delete(place),
      );
      running.set(place, Object.assign(flight, { mark, stop, answer }));
      return answer;
    },
    close(): void {
      cancel();
      cancelOnMessage();
      for (const { stop } of running.values()) stop.abort();
    },
  };
}

const NO_BRAIN =
  'No brain is set up that could decide. Give the relay a model, or use the rules, and call again.';
const STOPPED = 'The task was stopped before a decision was made.';
const DELETED = 'The session was deleted. Leave sessionId out to start a new one.';

const NOT_STORED = new InteractError(
  'unavailable',
  'The relay could not store it, and nothing was changed. Try again in a while.',
);
const INTERNAL_ERROR = new InteractError('internal', 'The relay failed. See its log.');

const busy = (): InteractError =>
  new InteractError(
    'task_busy',
    'Another call of this task is under way. Wait for its answer, then call again.',
    {
      path: 'taskId',
    },
  );

const NOT_WAITING = new InteractError(
  'invalid_task_state',
  'The task does not wait for anybody. Send its next page to interact.',
);

const titleIn = ({ tab, title }: CallSession, { query }: InteractRequest): string =>
  tab?.title ?? title ?? query;

const isAsk = (answer: StepAnswer): answer is Ask =>
  answer.status === 'needs_context' || answer.status === 'needs_full_dom';

function activityAfter({ action, status }: Decided['answer']) {
  if (status === 'needs_user_input') return { kind: 'waiting_for_user' } as const;
  if (action === undefined || endOf(action) !== undefined) return { kind: 'idle' } as const;
  return { kind: 'running_command', label: action.slice(0, LABEL_CHARS) } as const;
}

/** The brain's answer with the ids, as stored. */
function trustResponse(data: Data): InteractResponse {
  return { success: true, data } as unknown as InteractResponse;
}
