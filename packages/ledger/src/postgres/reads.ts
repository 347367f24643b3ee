import type { Ledger, LedgerReads } from '../ledger.ts';
import type { EventPage } from '../records.ts';
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
import { integer, type Row, text } from '../rows/row.ts';
import { QUERIES } from './queries.ts';
import type { Value } from './wire.ts';

/** One statement, after earlier commits of that session, or of all sessions. */
export type Look = (
  session_id: string | undefined,
  statement: string,
  ...values: readonly Value[]
) => Promise<readonly Row[]>;

export function createReads(look: Look): Pick<Ledger, keyof LedgerReads> {
  const all = async <Found>(read: (row: Row) => Found, query: string, ...values: readonly Value[]) =>
    (await look(undefined, query, ...values)).map(read);

  const one = async <Found>(
    read: (row: Row) => Found,
    session_id: string | undefined,
    query: string,
    ...values: readonly Value[]
  ): Promise<Found | undefined> => {
    const [row] = await look(session_id, query, ...values);
    return row === undefined ? undefined : read(row);
  };

  const page = async (
    query: string,
    session_id: string,
    sequence: number,
    limit: number,
  ): Promise<EventPage | undefined> => {
    const rows = await look(session_id, query, session_id, sequence, limit);
    const [first] = rows;
    if (first === undefined) return undefined;
    // A session without such events is one row without an event.
    const events = rows.filter((row) => row['event_id'] !== null).map((row) => eventOf(session_id, row));
    return { events, head: integer(first, 'head'), oldest: integer(first, 'oldest') };
  };

  const latestTab = (device_id: string | undefined, domain: string | undefined) => {
    if (device_id === undefined) {
      return domain === undefined
        ? one(tabSessionOf, undefined, QUERIES.latestTabSession)
        : one(tabSessionOf, undefined, QUERIES.latestTabOfDomain, domain);
    }
    return domain === undefined
      ? one(tabSessionOf, undefined, QUERIES.latestTabOfDevice, device_id)
      : one(tabSessionOf, undefined, QUERIES.latestTabOfBoth, device_id, domain);
  };

  return {
    session: (session_id) => one(sessionOf, session_id, QUERIES.session, session_id),
    liveSessions: () => all(sessionOf, QUERIES.liveSessions),
    heads: () =>
      all((row) => {
        const session_id = text(row, 'session_id');
        return { session_id, head: integer(row, 'head'), oldest: integer(row, 'oldest') };
      }, QUERIES.heads),
    eventsAfter: (session_id, sequence, limit) => page(QUERIES.eventsAfter, session_id, sequence, limit),
    eventsBefore: (session_id, sequence, limit) => page(QUERIES.eventsBefore, session_id, sequence, limit),
    transcriptBefore: (session_id, sequence, limit) =>
      page(QUERIES.transcriptBefore, session_id, sequence, limit),
    latestOfMessage: (session_id, message_id) =>
      one((row) => eventOf(session_id, row), session_id, QUERIES.latestOfMessage, session_id, message_id),
    countMessages: async (session_id) =>
      (await one((row) => integer(row, 'messages'), session_id, QUERIES.countMessages, session_id)) ?? 0,
    message: (session_id, client_message_id) =>
      one(messageOf, session_id, QUERIES.message, session_id, client_message_id),
    queuedMessages: (proxy_device_id) => all(waitingOf, QUERIES.queuedMessages, proxy_device_id),
    expiredMessages: (now, limit) => all(waitingOf, QUERIES.expiredMessages, now, limit),
    prompt: (session_id, prompt_id) => one(promptOf, session_id, QUERIES.prompt, session_id, prompt_id),
    openPrompts: () => all(promptOf, QUERIES.unsettledPrompts, 'open'),
    answeringPrompts: () => all(promptOf, QUERIES.unsettledPrompts, 'answering'),
    pendingLaunches: () => all(launchOf, QUERIES.pendingLaunches),
    unreportedLaunches: (device_id) => all(launchOf, QUERIES.unreportedLaunches, device_id),
    device: (device_id) => one(deviceOf, undefined, QUERIES.device, device_id),
    deviceByToken: (token_hash) => one(deviceOf, undefined, QUERIES.deviceByToken, token_hash),
    devices: () => all(deviceOf, QUERIES.devices),
    file: (file_id) => one(fileOf, undefined, QUERIES.file, file_id),
    filesOf: (session_id) => all(fileOf, QUERIES.filesOf, session_id),
    hasContent: async (sha256) => (await look(undefined, QUERIES.hasContent, sha256)).length > 0,
    auditBefore: (number, limit) => all(auditOf, QUERIES.auditBefore, number, limit),
    setting: async (key) => (await one(settingOf, undefined, QUERIES.setting, key))?.value,
    settingsUnder: (prefix) => all(settingOf, QUERIES.settingsUnder, prefix, `${prefix}\u{10ffff}`),
    task: (task_id) => one(taskOf, undefined, QUERIES.task, task_id),
    openTasks: () => all(taskOf, QUERIES.openTasks),
    tasksBefore: (task_id, limit) =>
      task_id === null
        ? all(taskOf, QUERIES.latestTasks, limit)
        : all(taskOf, QUERIES.tasksBefore, task_id, limit),
    tabSession: (session_id) => one(tabSessionOf, session_id, QUERIES.tabSession, session_id),
    latestTabSession: ({ device_id, domain }) => latestTab(device_id, domain),
    tabSessionsOf: (device_id, limit) => all(tabSessionOf, QUERIES.tabSessionsOf, device_id, limit),
  };
}
