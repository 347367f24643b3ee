import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { LedgerDamage, LedgerReport } from '../ledger.ts';
import { LedgerError } from '../ledger-error.ts';
import { eventOf } from '../rows/record-rows.ts';
import { hex, integer, type Row, text } from '../rows/row.ts';
import { migrate } from './database.ts';
import { lostCommits, type Mark, readMark } from './high-water-mark.ts';
import { MIGRATIONS } from './migrations.ts';
import { addRowCheck, CHECKED_COLUMNS } from './row-check.ts';
import { createSql, type Sql } from './sql.ts';
import { stateOf } from './start-check.ts';

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Reads one snapshot of a whole ledger file, with or without a running writer. An unreadable row is a
 * finding, not an exception.
 */
export function verifySqliteFile(path: string): LedgerReport {
  let database: DatabaseSync | undefined;
  const counted = { sessions: 0, events: 0 };
  try {
    // Before the snapshot, because a running relay raises the mark after each commit.
    const mark = readMark(path);
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    addRowCheck(database);
    database.exec('BEGIN');
    const sql = createSql(database);
    const damage =
      brokenSchema(sql) ??
      missingCommits(sql, path, mark) ??
      brokenChain(sql, counted) ??
      brokenRow(sql) ??
      brokenLink(sql) ??
      brokenStructure(sql);
    return damage === undefined ? counted : { ...counted, damage };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...counted, damage: { where: path, problem } };
  } finally {
    database?.close();
  }
}

/** Checks what the relay checks at its start. */
function missingCommits(sql: Sql, path: string, mark: Mark | undefined): LedgerDamage | undefined {
  const problem = lostCommits(path, mark, stateOf(sql));
  return problem === undefined ? undefined : { where: path, problem };
}

function brokenChain(sql: Sql, counted: { sessions: number; events: number }): LedgerDamage | undefined {
  for (const session of sql.all('SELECT * FROM sessions ORDER BY session')) {
    counted.sessions += 1;
    const damage = brokenSession(sql, session, counted);
    if (damage !== undefined) return damage;
  }
  const stray = sql.one(
    'SELECT event, sequence FROM events WHERE session NOT IN (SELECT session FROM sessions) LIMIT 1',
  );
  if (stray === undefined) return undefined;
  return { where: `events row ${integer(stray, 'event')}`, problem: 'its session is not there' };
}

function brokenSession(sql: Sql, row: Row, counted: { events: number }): LedgerDamage | undefined {
  const session_id = text(row, 'session_id');
  let sequence = integer(row, 'oldest');
  let hash = hex(row, 'base_hash');
  /** The `said` link that the next event must have; rows of older versions have none. */
  let said: SQLOutputValue = null;
  const broken = (problem: string): LedgerDamage => ({
    where: `event ${sequence} of session ${session_id}`,
    session_id,
    sequence,
    problem,
  });
  const events = sql.each(
    'SELECT * FROM events WHERE session = ? ORDER BY sequence',
    integer(row, 'session'),
  );
  for (const found of events) {
    if (integer(found, 'sequence') !== sequence) return broken('it is missing');
    try {
      const event = eventOf(session_id, found);
      if (event.prev_hash !== hash) return broken('it does not follow from the event before it');
      const before: SQLOutputValue = found['said'] ?? said;
      if (before !== (said ?? before)) return broken('it leads to another place of the transcript');
      hash = event.hash;
      said = event.message_id === null ? before : sequence;
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return broken('it is not what was written');
    }
    counted.events += 1;
    sequence += 1;
  }
  if (integer(row, 'head') !== sequence - 1) return broken('it is missing, and the session ends later');
  if (hex(row, 'head_hash') !== hash) return broken('the session ends with another hash than its last event');
  return undefined;
}

function brokenRow(sql: Sql): LedgerDamage | undefined {
  for (const [table, columns] of Object.entries(CHECKED_COLUMNS)) {
    const [key] = columns.split(', ');
    const row = sql.one(
      `SELECT ${key} AS key FROM ${table} WHERE checked IS NOT row_check(${columns}) LIMIT 1`,
    );
    if (row !== undefined)
      return { where: `${table} row ${row['key']}`, problem: 'it is not what was written' };
  }
  return undefined;
}

/** Checks references between rows; older versions have none. */
function brokenLink({ one }: Sql): LedgerDamage | undefined {
  if (one("SELECT 1 FROM pragma_table_info('events') WHERE name = 'of_send'") === undefined) return undefined;
  const event = one(`SELECT session_id, sequence FROM events JOIN sessions USING (session)
    WHERE of_send IS NOT NULL AND (of_send <> 1 OR NOT EXISTS (
      SELECT 1 FROM messages WHERE messages.session = events.session
        AND client_message_id = message_id AND messages.sequence = events.sequence - 1)) LIMIT 1`);
  if (event !== undefined) {
    const [session_id, sequence] = [text(event, 'session_id'), integer(event, 'sequence')];
    const where = `event ${sequence} of session ${session_id}`;
    return { where, session_id, sequence, problem: 'it follows no send' };
  }
  const message = one(`SELECT message FROM messages JOIN sessions USING (session)
    WHERE for_proxy <> proxy_device_id OR (for_proxy IS NULL AND state = 'accepted') LIMIT 1`);
  if (message === undefined) return undefined;
  return { where: `messages row ${integer(message, 'message')}`, problem: 'it waits for another proxy' };
}

/** Compares the schema with a fresh one made by the migrations. */
function brokenSchema(sql: Sql): LedgerDamage | undefined {
  const version = integer(sql.one('PRAGMA user_version') ?? {}, 'user_version');
  const fresh = new DatabaseSync(':memory:');
  addRowCheck(fresh);
  const expected = createSql(fresh);
  migrate(fresh, expected, MIGRATIONS.slice(0, version));
  const schemaOf = ({ all }: Sql) => all('SELECT name, sql FROM sqlite_schema ORDER BY name');
  const wanted = new Map(schemaOf(expected).map((row) => [row['name'], row['sql']]));
  fresh.close();
  const found = schemaOf(sql);
  const changed = found.find((row) => wanted.get(row['name'] ?? null) !== row['sql']);
  if (changed !== undefined)
    return { where: `the schema of ${changed['name']}`, problem: 'it is not what was made' };
  return found.length === wanted.size
    ? undefined
    : { where: 'the schema', problem: 'a part of it is missing' };
}

function brokenStructure(sql: Sql): LedgerDamage | undefined {
  const found = sql.one('PRAGMA integrity_check(1)')?.['integrity_check'];
  if (found !== 'ok') return { where: 'the file', problem: String(found) };
  const orphan = sql.one('PRAGMA foreign_key_check');
  if (orphan === undefined) return undefined;
  return {
    where: `${text(orphan, 'table')} row ${orphan['rowid']}`,
    problem: 'what it belongs to is not there',
  };
}
