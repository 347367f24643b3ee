import type { LedgerReads } from '../ledger.ts';
import type { EventPage, EventRecord, MessageRecord, WaitingMessage } from '../records.ts';
import { pairKey, type Tables } from './tables.ts';

export function createReads(tables: Tables): LedgerReads {
  const { sessions, messages, prompts, launches, devices, files, audit, settings, tasks, tabSessions } =
    tables;
  const records = () => sessions.all().map(({ record }) => record);

  const page = (
    session_id: string,
    choose: (events: readonly EventRecord[]) => readonly EventRecord[],
  ): EventPage | undefined => {
    const row = sessions.get(session_id);
    if (row === undefined) return undefined;
    return { events: choose(row.events), head: row.record.head, oldest: row.record.oldest };
  };

  const newest = (events: readonly EventRecord[], limit: number) =>
    limit > 0 ? events.slice(Math.max(0, events.length - limit)) : [];

  return {
    session: (session_id) => sessions.get(session_id)?.record,
    liveSessions: () => records().filter(({ closed_at }) => closed_at === null),
    heads: () => records().map(({ session_id, head, oldest }) => ({ session_id, head, oldest })),
    eventsAfter: (session_id, sequence, limit) =>
      page(session_id, (events) =>
        events.filter((event) => event.sequence > sequence).slice(0, Math.max(0, limit)),
      ),
    eventsBefore: (session_id, sequence, limit) =>
      page(session_id, (events) =>
        newest(
          events.filter((event) => event.sequence < sequence),
          limit,
        ),
      ),
    transcriptBefore: (session_id, sequence, limit) =>
      page(session_id, (events) =>
        newest(
          events.filter((event) => event.sequence < sequence && event.message_id !== null),
          limit,
        ),
      ),
    latestOfMessage: (session_id, message_id) =>
      sessions.get(session_id)?.events.findLast((event) => event.message_id === message_id),
    countMessages: (session_id) =>
      new Set(sessions.get(session_id)?.events.flatMap(({ message_id }) => message_id ?? [])).size,
    message: (session_id, client_message_id) => messages.get(pairKey(session_id, client_message_id))?.record,
    queuedMessages: (proxy_device_id) =>
      messages
        .all()
        .map(({ record }) => record)
        .filter(({ state, session_id }) => {
          const session = sessions.get(session_id)?.record;
          const live = session?.closed_at === null && session.proxy_device_id === proxy_device_id;
          return live && state === 'accepted';
        })
        .map(waitingOf),
    expiredMessages: (now, limit) =>
      messages
        .all()
        .map(({ record }) => record)
        .filter(({ state, expires_at }) => state === 'accepted' && expires_at !== null && expires_at <= now)
        .sort((a, b) => (a.expires_at ?? 0) - (b.expires_at ?? 0))
        .slice(0, limit)
        .map(waitingOf),
    prompt: (session_id, prompt_id) => prompts.get(pairKey(session_id, prompt_id)),
    openPrompts: () => prompts.all().filter(({ state }) => state === 'open'),
    answeringPrompts: () => prompts.all().filter(({ state }) => state === 'answering'),
    pendingLaunches: () => launches.all().filter(({ state }) => state === 'pending'),
    unreportedLaunches: (device_id) =>
      launches.all().filter((each) => each.device_id === device_id && each.state !== 'pending' && !each.told),
    device: (device_id) => devices.get(device_id),
    deviceByToken: (token_hash) => devices.all().find((each) => each.token_hash === token_hash),
    devices: () => devices.all().toSorted((a, b) => (a.device_id < b.device_id ? -1 : 1)),
    file: (file_id) => files.get(file_id),
    filesOf: (session_id) => files.all().filter((each) => each.session_id === session_id),
    hasContent: (sha256) => files.all().some((each) => each.sha256 === sha256),
    auditBefore: (number, limit) =>
      audit
        .all()
        .filter((each) => each.number < number)
        .toReversed()
        .slice(0, limit),
    setting: (key) => settings.get(key)?.value,
    settingsUnder: (prefix) =>
      settings
        .all()
        .filter(({ key }) => key.startsWith(prefix))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    task: (task_id) => tasks.get(task_id),
    openTasks: () => tasks.all().filter(({ settled_at }) => settled_at === null),
    tasksBefore: (task_id, limit) => {
      const all = tasks.all();
      const end = task_id === null ? all.length : all.findIndex((each) => each.task_id === task_id);
      return all.slice(0, Math.max(0, end)).toReversed().slice(0, Math.max(0, limit));
    },
    tabSession: (session_id) => tabSessions.get(session_id),
    latestTabSession: ({ device_id, domain }) =>
      records()
        .flatMap(({ session_id }) => tabSessions.get(session_id) ?? [])
        .filter((each) => device_id === undefined || each.device_id === device_id)
        .filter((each) => domain === undefined || each.domain === domain)
        .toSorted((a, b) => a.updated_at - b.updated_at)
        .at(-1),
    tabSessionsOf: (device_id, limit) =>
      records()
        .flatMap(({ session_id }) => tabSessions.get(session_id) ?? [])
        .filter((each) => each.device_id === device_id)
        .toReversed()
        .toSorted((a, b) => b.updated_at - a.updated_at)
        .slice(0, Math.max(0, limit)),
  };
}

const waitingOf = (message: MessageRecord): WaitingMessage => {
  const { session_id, client_message_id, attempt, sequence, expires_at, payload } = message;
  return {
    session_id,
    client_message_id,
    attempt,
    sequence,
    expires_at,
    chars: JSON.stringify(payload).length,
  };
};
