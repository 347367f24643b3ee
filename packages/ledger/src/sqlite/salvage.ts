import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { LedgerError } from '../ledger-error.ts';
import { eventOf } from '../rows/record-rows.ts';
import { hex, integer, type Row, text } from '../rows/row.ts';
import { LINE_UP_WAITING } from './migrations.ts';
import { CHECKED_COLUMNS } from './row-check.ts';
import { createSql, type Sql } from './sql.ts';

/** A part of a ledger that could not be saved. */
export type Lost =
  /** Events of a session, both ends included. */
  | { readonly session_id: string; readonly from: number; readonly through: number }
  /** Rows of a table: damaged, or of a lost session. `unreadable`: there may be more. */
  | { readonly table: string; readonly rows: number; readonly unreadable: boolean };

/** A session's longest run of events whose hashes are right and follow each other. */
interface Run {
  readonly first: number;
  readonly base: string;
  last: number;
  hash: string;
}

const OWN = new Set(['birth', 'openings']);
const TABLES: Readonly<Record<string, string>> = { ...CHECKED_COLUMNS, events: 'event' };

/** Copies every intact row into an empty ledger, and cuts each session to its longest whole run of events. */
export function salvage(from: DatabaseSync, to: DatabaseSync): readonly Lost[] {
  const source = createSql(from);
  const target = createSql(to);
  const lost: Lost[] = [];
  for (const [table, columns] of Object.entries(TABLES)) {
    if (OWN.has(table)) continue;
    const { rows, unreadable } = copyTable(source, target, table, columns);
    if (rows > 0 || unreadable) lost.push({ table, rows, unreadable });
  }
  for (const table of ['events', 'messages', 'prompts', 'files', 'tasks', 'tab_sessions']) {
    const rows = target.run(`DELETE FROM ${table} WHERE session NOT IN (SELECT session FROM sessions)`);
    if (rows > 0) lost.push({ table, rows, unreadable: false });
  }
  for (const session of target.all('SELECT * FROM sessions ORDER BY session'))
    lost.push(...cutSession(target, session));
  target.run(`UPDATE events SET of_send = NULL WHERE of_send IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM messages WHERE messages.session = events.session
      AND client_message_id = message_id AND messages.sequence = events.sequence - 1)`);
  target.run('UPDATE messages SET for_proxy = NULL');
  target.run(LINE_UP_WAITING);
  return lost;
}

/** Returns how many rows were damaged, and whether a page could not be read. */
function copyTable(source: Sql, target: Sql, table: string, checked: string) {
  const isChecked = table in CHECKED_COLUMNS;
  const [key = ''] = checked.split(', ');
  const found = new Set(columnsOf(source, table));
  const columns = columnsOf(target, table).filter((column) => found.has(column));
  const insert = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const select = `SELECT *, ${isChecked ? `checked IS NOT row_check(${checked})` : '0'} AS is_damaged
    FROM ${table} NOT INDEXED`;
  let rows = 0;
  const unreadable = eachReadable(source, select, key, (row) => {
    const values = columns.map((column) => row[column] ?? null);
    if (row['is_damaged'] === 1 || target.run(insert, ...values) === 0) rows += 1;
  });
  return { rows, unreadable };
}

function columnsOf(sql: Sql, table: string): readonly string[] {
  return sql.all(`PRAGMA table_info(${table})`).map((row) => text(row, 'name'));
}

/** Reads up to a damaged page from the front, then up to the next one from the back. */
function eachReadable(sql: Sql, select: string, key: string, take: (row: Row) => void): boolean {
  let last: SQLOutputValue | undefined;
  const read = (rows: Iterable<Row>, advance: (row: Row) => void): boolean => {
    const iterator = rows[Symbol.iterator]();
    for (;;) {
      let next: IteratorResult<Row>;
      try {
        next = iterator.next();
      } catch {
        return false;
      }
      if (next.done === true) return true;
      advance(next.value);
      take(next.value);
    }
  };
  const open = (text: string, ...values: SQLOutputValue[]): Iterable<Row> => {
    try {
      return sql.each(text, ...values);
    } catch {
      return [];
    }
  };
  const wasWhole = read(open(`${select} ORDER BY ${key}`), (row) => {
    last = row[key];
  });
  if (wasWhole && last !== undefined) return false;
  if (last === undefined) {
    if (isEmptyTable(sql, select)) return false;
    read(open(`${select} ORDER BY ${key} DESC`), () => {});
  } else read(open(`${select} WHERE ${key} > ? ORDER BY ${key} DESC`, last), () => {});
  return true;
}

function isEmptyTable(sql: Sql, select: string): boolean {
  try {
    return sql.one(`${select} LIMIT 1`) === undefined;
  } catch {
    return false;
  }
}

function cutSession(sql: Sql, row: Row): readonly Lost[] {
  const session = integer(row, 'session');
  const session_id = text(row, 'session_id');
  const [oldest, head] = [integer(row, 'oldest'), integer(row, 'head')];
  const run = longestRun(sql, session, session_id);
  const from = run?.first ?? head + 1;
  const through = run?.last ?? head;
  sql.run('DELETE FROM events WHERE session = ? AND (sequence < ? OR sequence > ?)', session, from, through);
  const end = run?.hash ?? hex(row, 'head_hash');
  sql.run(
    'UPDATE sessions SET oldest = ?, base_hash = ?, head = ?, head_hash = ? WHERE session = ?',
    from,
    Buffer.from(run?.base ?? end, 'hex'),
    through,
    Buffer.from(end, 'hex'),
    session,
  );
  if (run === undefined) return oldest > head ? [] : [{ session_id, from: oldest, through: head }];
  mendLinks(sql, session);
  return [
    ...(run.first > oldest ? [{ session_id, from: oldest, through: run.first - 1 }] : []),
    ...(run.last < head ? [{ session_id, from: run.last + 1, through: head }] : []),
  ];
}

function longestRun(sql: Sql, session: number, session_id: string): Run | undefined {
  let best: Run | undefined;
  let current: Run | undefined;
  const lengthOf = ({ first, last }: Run) => last - first;
  for (const row of sql.each('SELECT * FROM events WHERE session = ? ORDER BY sequence', session)) {
    const event = intactEvent(session_id, row);
    if (event === undefined) {
      current = undefined;
      continue;
    }
    const { sequence, prev_hash, hash } = event;
    if (current !== undefined && sequence === current.last + 1 && prev_hash === current.hash) {
      current.last = sequence;
      current.hash = hash;
    } else current = { first: sequence, base: prev_hash, last: sequence, hash };
    if (best === undefined || lengthOf(current) > lengthOf(best)) best = current;
  }
  return best;
}

function intactEvent(session_id: string, row: Row) {
  try {
    return eventOf(session_id, row);
  } catch (error) {
    if (error instanceof LedgerError) return undefined;
    throw error;
  }
}

/** The links of the transcript are in no hash. */
function mendLinks(sql: Sql, session: number): void {
  const wrong: [said: number, event: number][] = [];
  let said: number | undefined;
  for (const row of sql.each('SELECT * FROM events WHERE session = ? ORDER BY sequence', session)) {
    const link = row['said'];
    if (said !== undefined && typeof link === 'number' && link !== said)
      wrong.push([said, integer(row, 'event')]);
    if (row['message_id'] !== null) said = integer(row, 'sequence');
    else if (typeof link === 'number') said ??= link;
  }
  for (const [to, event] of wrong) sql.run('UPDATE events SET said = ? WHERE event = ?', to, event);
}
