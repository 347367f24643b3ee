import type {
  EventRecord,
  Json,
  LaunchRecord,
  MessageRecord,
  PromptRecord,
  SessionRecord,
} from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { type Run, TIMES } from './simulation.ts';
import { applyEvent, createSessionView, type Recorded, type SessionView } from './view.ts';

export interface SessionFacts {
  readonly record: SessionRecord;
  readonly events: readonly EventRecord[];
  readonly messages: ReadonlyMap<string, MessageRecord>;
  /** View of a screen that missed nothing. */
  readonly view: SessionView;
}

/** Final disk contents, as a starting relay reads them, and when each event was synced. */
export interface Facts {
  readonly sessions: ReadonlyMap<string, SessionFacts>;
  readonly damage: string | undefined;
  readonly openPrompts: readonly PromptRecord[];
  readonly answeringPrompts: readonly PromptRecord[];
  readonly pendingLaunches: readonly LaunchRecord[];
  /** `client_message_id`s of scheduled sends that are stored as pending. */
  readonly waitingToBeSent: ReadonlySet<string>;
  /** By session and `prompt_id`: how often it was opened as a new one. */
  readonly opened: ReadonlyMap<string, number>;
  /** Launches that were requested again long after their end: the relay may start them again. */
  readonly relaunched: ReadonlySet<string>;
  /** By `event_id`: when the event was synced. */
  readonly synced: ReadonlyMap<string, { readonly order: number; readonly at: number }>;
}

export async function readFacts(run: Run): Promise<Facts> {
  const { disk, relay } = run;
  const ledger = openMemoryLedger(disk);
  const sessions = new Map<string, SessionFacts>();
  for (const { session_id } of await ledger.heads()) {
    const record = await ledger.session(session_id);
    if (record === undefined) continue;
    const events = (await ledger.eventsAfter(session_id, 0, Number.MAX_SAFE_INTEGER))?.events ?? [];
    const messages = new Map<string, MessageRecord>();
    const view = createSessionView();
    for (const event of events) {
      const rich = trustEvent(event);
      applyEvent(view, rich);
      if (rich.type !== 'message_accepted') continue;
      const message = await ledger.message(session_id, rich.client_message_id);
      if (message !== undefined) messages.set(rich.client_message_id, message);
    }
    sessions.set(session_id, { record, events, messages, view });
  }
  const { damage } = await ledger.verify();
  return {
    sessions,
    damage: damage && JSON.stringify(damage),
    openPrompts: await ledger.openPrompts(),
    answeringPrompts: await ledger.answeringPrompts(),
    pendingLaunches: await ledger.pendingLaunches(),
    waitingToBeSent: new Set(
      (await ledger.settingsUnder('scheduled_send:'))
        .map(({ value }) => trustScheduled(value))
        .flatMap(({ state, client_message_id }) => (state === 'pending' ? [client_message_id] : [])),
    ),
    opened: countOpened(run),
    relaunched: findRelaunched(run),
    synced: new Map(
      relay.log.synced.flatMap(({ order, at, transaction }) =>
        transaction.flatMap((write) => {
          if (write.do === 'append_event') return [[write.event_id, { order, at }] as const];
          return write.do === 'accept_message' ? [[write.event.event_id, { order, at }] as const] : [];
        }),
      ),
    ),
  };
}

function countOpened({ disk }: Run): ReadonlyMap<string, number> {
  const opened = new Map<string, number>();
  for (const write of disk.synced.flat()) {
    if (write.do !== 'open_prompt') continue;
    const key = `${write.session_id} ${write.prompt_id}`;
    opened.set(key, (opened.get(key) ?? 0) + 1);
  }
  return opened;
}

function findRelaunched({ relay }: Run): ReadonlySet<string> {
  const found = new Set<string>();
  const latest = new Map<string, { readonly at: number; readonly order: number }>();
  for (const { at, order, transaction } of relay.log.synced) {
    for (const write of transaction) {
      if (write.do !== 'open_launch') continue;
      const before = latest.get(write.request_id);
      latest.set(write.request_id, { at, order });
      if (before === undefined) continue;
      const restarted = relay.log.starts.some((start) => start > before.order && start < order);
      if (restarted || at - before.at >= TIMES.launch_ms) found.add(write.request_id);
    }
  }
  return found;
}

function trustScheduled(value: Json): { readonly state: string; readonly client_message_id: string } {
  return value as { state: string; client_message_id: string };
}

/** An event's payload is its frame without the ledger's numbering (CHT-272). */
export function trustEvent({ type, event_id, sequence, session_id, payload }: EventRecord): Recorded {
  return { ...payload, type, event_id, sequence, session_id } as unknown as Recorded;
}
