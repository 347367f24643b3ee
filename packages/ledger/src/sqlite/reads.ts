import type { LedgerReads } from '../ledger.ts';
import type { EventPage, EventRecord } from '../records.ts';
import {
  auditOf,
  deviceOf,
  eventOf,
  fileOf,
  launchOf,
  messageOf,
  promptOf,
  sessionOf,
  settingOf,
  tabSessionOf,
  taskOf,
  waitingOf,
} from '../rows/record-rows.ts';
import { damaged, intact, integer, integerOrNull, type Row, text } from '../rows/row.ts';
import { QUERIES } from './queries.ts';
import type { Sql } from './sql.ts';

/** A page ends early at this many characters; `head` or `oldest` show that there is more. */
const MAX_PAGE_CHARS = 8 * 1_048_576;

export function createReads(sql: Sql): LedgerReads {
  const { one, each, all } = sql;
  const maybe = <Found>(row: Row | undefined, read: (row: Row) => Found): Found | undefined =>
    row === undefined ? undefined : read(row);

  type Found = (session: { session: number; head: number; oldest: number }) => Iterable<Row>;

  const page = (session_id: string, find: Found, maxChars = MAX_PAGE_CHARS): EventPage | undefined =>
    maybe(one(QUERIES.session, session_id), (row) => {
      intact(row, `session ${session_id}`);
      const [head, oldest] = [integer(row, 'head'), integer(row, 'oldest')];
      const events: EventRecord[] = [];
      let chars = 0;
      for (const found of find({ session: integer(row, 'session'), head, oldest })) {
        events.push(eventOf(session_id, found));
        chars += text(found, 'payload').length;
        if (chars > maxChars) break;
      }
      return { events, head, oldest };
    });

  // SQLite treats a negative LIMIT as no limit.
  const most = (limit: number): number => Math.max(0, limit);

  const oldestFirst = (found: EventPage | undefined): EventPage | undefined =>
    found === undefined ? undefined : { ...found, events: found.events.toReversed() };

  const latestTab = (device_id: string | undefined, domain: string | undefined): Row | undefined => {
    if (device_id === undefined) {
      return domain === undefined ? one(QUERIES.latestTabSession) : one(QUERIES.latestTabOfDomain, domain);
    }
    return domain === undefined
      ? one(QUERIES.latestTabOfDevice, device_id)
      : one(QUERIES.latestTabOfBoth, device_id, domain);
  };

  return {
    session: (session_id) => maybe(one(QUERIES.session, session_id), sessionOf),
    liveSessions: () => all(QUERIES.liveSessions).map(sessionOf),
    heads: () =>
      all(QUERIES.heads)
        .map(sessionOf)
        .map(({ session_id, head, oldest }) => ({ session_id, head, oldest })),
    eventsAfter: (session_id, sequence, limit, maxChars) =>
      page(session_id, ({ session }) => each(QUERIES.eventsAfter, session, sequence, most(limit)), maxChars),
    eventsBefore: (session_id, sequence, limit) =>
      oldestFirst(
        page(session_id, ({ session }) => each(QUERIES.eventsBefore, session, sequence, most(limit))),
      ),
    transcriptBefore: (session_id, sequence, limit, maxChars) =>
      oldestFirst(page(session_id, (session) => transcriptBefore(sql, session, sequence, limit), maxChars)),
    latestOfMessage: (session_id, message_id) =>
      maybe(one(QUERIES.session, session_id), (session) =>
        maybe(latestOfMessage(sql, integer(session, 'session'), message_id), (row) =>
          eventOf(session_id, row),
        ),
      ),
    countMessages: (session_id) =>
      maybe(one(QUERIES.countMessages, session_id), (row) => integer(row, 'messages')) ?? 0,
    message: (session_id, client_message_id) =>
      maybe(one(QUERIES.message, session_id, client_message_id), messageOf),
    queuedMessages: (proxy_device_id) => all(QUERIES.queuedMessages, proxy_device_id).map(waitingOf),
    expiredMessages: (now, limit) => all(QUERIES.expiredMessages, now, limit).map(waitingOf),
    prompt: (session_id, prompt_id) => maybe(one(QUERIES.prompt, session_id, prompt_id), promptOf),
    openPrompts: () => all(QUERIES.unsettledPrompts, 'open').map(promptOf),
    answeringPrompts: () => all(QUERIES.unsettledPrompts, 'answering').map(promptOf),
    pendingLaunches: () => all(QUERIES.pendingLaunches).map(launchOf),
    unreportedLaunches: (device_id) => all(QUERIES.unreportedLaunches, device_id).map(launchOf),
    device: (device_id) => maybe(one(QUERIES.device, device_id), deviceOf),
    deviceByToken: (token_hash) => maybe(one(QUERIES.deviceByToken, token_hash), deviceOf),
    devices: () => all(QUERIES.devices).map(deviceOf),
    file: (file_id) => maybe(one(QUERIES.file, file_id), fileOf),
    filesOf: (session_id) => all(QUERIES.filesOf, session_id).map(fileOf),
    hasContent: (sha256) => one(QUERIES.hasContent, sha256) !== undefined,
    auditBefore: (number, limit) => all(QUERIES.auditBefore, number, limit).map(auditOf),
    settingsUnder: (prefix) => all(QUERIES.settingsUnder, prefix, `${prefix}\u{10ffff}`).map(settingOf),
    setting: (key) => maybe(one(QUERIES.setting, key), settingOf)?.value,
    task: (task_id) => maybe(one(QUERIES.task, task_id), taskOf),
    openTasks: () => all(QUERIES.openTasks).map(taskOf),
    tasksBefore: (task_id, limit) => {
      const rows =
        task_id === null
          ? all(QUERIES.latestTasks, most(limit))
          : all(QUERIES.tasksBefore, task_id, most(limit));
      return rows.map(taskOf);
    },
    tabSession: (session_id) => maybe(one(QUERIES.tabSession, session_id), tabSessionOf),
    latestTabSession: ({ device_id, domain }) => maybe(latestTab(device_id, domain), tabSessionOf),
    tabSessionsOf: (device_id, limit) => all(QUERIES.tabSessionsOf, device_id, most(limit)).map(tabSessionOf),
  };
}

/**
 * Follows a session's transcript backwards by `said` links; rows of older versions are found by their index.
 */
function* transcriptBefore(
  { one, each }: Sql,
  { session, head, oldest }: { readonly session: number; readonly head: number; readonly oldest: number },
  sequence: number,
  limit: number,
): Iterable<Row> {
  let left = limit;
  let at = Math.min(sequence - 1, head);
  for (let isSaid = false; at >= oldest && left > 0; isSaid = true) {
    const row = one(QUERIES.event, session, at);
    if (row === undefined) throw damaged(`event ${at} is missing`);
    const before = integerOrNull(row, 'said');
    if (before === null) {
      yield* each(QUERIES.unlinkedBefore, session, at + 1, left);
      return;
    }
    if (row['message_id'] !== null) {
      left -= 1;
      yield row;
    } else if (isSaid) throw damaged(`event ${at} says nothing, and a later one leads there`);
    if (before >= at) throw damaged(`event ${at} of the transcript leads to a later one`);
    at = before;
  }
}

/** The latest event of a message; a send's first one follows its acceptance. */
function latestOfMessage({ one }: Sql, session: number, message_id: string): Row | undefined {
  return one(QUERIES.latestOfMessage, session, message_id) ?? one(QUERIES.saidOfSend, session, message_id);
}
