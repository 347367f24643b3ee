import type { EventRecord, JsonObject, Ledger } from '@drawbridge/ledger';
import type { MessageDetails, TaskEvent } from '@drawbridge/protocol';
import type { CoreClock, RelayCore } from '../core/ports.ts';
import type { ApiTask, TaskView } from './task-record.ts';
import type { TaskService } from './task-service.ts';
import type { TaskThoughts } from './task-thoughts.ts';

/** One event of a task's session, in ledger order. */
export interface TaskEventView {
  readonly sequence: number;
  readonly at: number;
  readonly role: string;
  readonly text: string;
  readonly details?: MessageDetails;
  /** TSK-14: unchanged. */
  readonly execution_event?: TaskEvent;
}

export type TaskUpdate =
  | { readonly kind: 'event'; readonly name: string; readonly event: TaskEventView }
  /** The state, the note or the question has changed. */
  | { readonly kind: 'state'; readonly task: TaskView }
  /** The decider's partial thought about the next step. */
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'alive' }
  | { readonly kind: 'end'; readonly task: TaskView };

export interface FeedPorts {
  readonly ledger: Pick<Ledger, 'eventsAfter'>;
  readonly taskService: Pick<TaskService, 'get' | 'onChange' | 'stopped'>;
  readonly thoughts: Pick<TaskThoughts, 'of' | 'onThought'>;
  readonly core: Pick<RelayCore, 'onEvents'>;
  readonly clock: CoreClock;
}

const PAGE_EVENTS = 200;
/** Shorter than the idle timeout of clients and proxies. */
const ALIVE_MS = 10_000;

/** Streams events after `after`, then live ones, and finally the ended task (TSK-61). */
export async function* updatesOf(
  { ledger, taskService, thoughts, core, clock }: FeedPorts,
  { task_id, session_id }: Pick<ApiTask, 'task_id' | 'session_id'>,
  after: number,
  gone: AbortSignal,
): AsyncGenerator<TaskUpdate> {
  // A relay that stops waits for every unfinished response.
  const signal = AbortSignal.any([gone, taskService.stopped]);
  let wake = (_?: string): void => {};
  const onAbort = (): void => wake();
  const stops = [
    core.onEvents(['message_event', 'user_message'], (event) => {
      if (event.session_id === session_id) wake();
    }),
    thoughts.onThought((thinking) => thinking === task_id && wake()),
    taskService.onChange((changed) => (changed === undefined || changed === task_id) && wake()),
  ];
  signal.addEventListener('abort', onAbort);
  try {
    let cursor = after;
    let told = '';
    let thought: string | undefined;
    while (!signal.aborted) {
      const { promise: woken, resolve } = Promise.withResolvers<string | undefined>();
      wake = resolve;
      // Read before the events: once the task has ended, all of its events are there.
      const task = await taskService.get(task_id);
      const page = await ledger.eventsAfter(session_id, cursor, PAGE_EVENTS);
      if (task === undefined) return;
      for (const event of page?.events ?? []) {
        cursor = event.sequence;
        const line = lineOf(event);
        if (line !== undefined) yield line;
      }
      if (page !== undefined && page.events.length > 0) continue;
      if (task.settled_at !== null) return yield { kind: 'end', task };
      const now = JSON.stringify([task.state, task.note, task.question]);
      if (now !== told) yield { kind: 'state', task };
      told = now;
      // Read only now: a thought that has led to a step is out of date.
      const thinking = thoughts.of(task_id);
      if (thinking !== undefined && thinking !== thought) yield { kind: 'thought', text: thinking };
      thought = thinking;
      const cancel = clock.after(ALIVE_MS, () => resolve('alive'));
      if ((await woken) === 'alive') yield { kind: 'alive' };
      cancel();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const stop of stops) stop();
  }
}

interface StoredMessage {
  readonly role: string;
  readonly content: string;
  readonly metadata?: Pick<TaskEventView, 'details' | 'execution_event'>;
}

function lineOf({ sequence, at, payload, message_id }: EventRecord): TaskUpdate | undefined {
  const message = message_id === null ? undefined : trustMessage(payload);
  if (message === undefined) return undefined;
  const { role, content: text, metadata } = message;
  const { details, execution_event } = metadata ?? {};
  const event = {
    ...{ sequence, at, role, text },
    ...(details && { details }),
    ...(execution_event && { execution_event }),
  };
  return { kind: 'event', name: details?.kind ?? 'message', event };
}

function trustMessage({ message }: JsonObject): StoredMessage | undefined {
  return message as unknown as StoredMessage | undefined;
}
