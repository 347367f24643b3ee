import type { ReservedSql } from 'postgres';
import { LedgerError } from '../ledger-error.ts';
import { LEASE_QUERIES } from '../postgres/lease.ts';
import { prepareDatabase } from '../postgres/opening.ts';
import { ledgerError } from '../postgres/postgres-error.ts';
import { openWire } from '../postgres/wire.ts';
import { type Row, text } from '../rows/row.ts';
import { type LedgerSource, type LedgerTarget, TABLE_NAMES, TABLES, type Table } from './tables.ts';

const ROWS_AT_ONCE = 200;
const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 60_000;

/** Sequences of the database, and the column whose maximum they continue from. */
const COUNTERS: readonly (readonly [sequence: string, table: Table, column: string])[] = [
  ['sessions_session_seq', 'sessions', 'session'],
  ['messages_order', 'messages', 'message'],
  ['prompts_prompt_seq', 'prompts', 'prompt'],
  ['launches_launch_seq', 'launches', 'launch'],
  ['audit_number_seq', 'audit', 'number'],
  ['tasks_task_seq', 'tasks', 'task'],
];

/** Reads one snapshot, beside concurrent writers. */
export async function openPostgresSource(url: string): Promise<LedgerSource> {
  const { sql, close } = await beginOn(url, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const [birth = {}] = await sql.unsafe('SELECT epoch FROM birth');
  return {
    epoch: text(birth, 'epoch'),
    rows: async function* (table) {
      const order = table === 'events' ? 'session_id, sequence' : '1';
      const select = `SELECT ${TABLES[table]} FROM ${table} ORDER BY ${order}`;
      for await (const rows of sql.unsafe(select).cursor(ROWS_AT_ONCE)) yield rows;
    },
    close,
  };
}

/** One transaction. A ledger that is moved may not be in use. */
export async function createPostgresTarget(url: string): Promise<LedgerTarget> {
  const { sql, close } = await beginOn(url, 'BEGIN');
  try {
    await sql.unsafe('LOCK TABLE sessions, devices, settings IN EXCLUSIVE MODE');
    for (const table of TABLE_NAMES) {
      const [row] = await sql.unsafe(`SELECT 1 FROM ${table} LIMIT 1`);
      if (row === undefined) continue;
      throw new LedgerError(
        'ledger_invalid',
        `The ledger in that database is not empty (${table}). A copy never overwrites: give an empty database.`,
      );
    }
  } catch (error) {
    await close();
    throw ledgerError(error);
  }
  return {
    write: async (table, rows) => {
      await sql.unsafe(
        `INSERT INTO ${table} (${TABLES[table]})
         SELECT ${TABLES[table]} FROM jsonb_populate_recordset(NULL::${table}, ($1::text)::jsonb)`,
        [JSON.stringify(rows.map(jsonOf))],
        { prepare: true },
      );
    },
    finish: async (epoch) => {
      for (const [sequence, table, column] of COUNTERS) {
        await sql.unsafe(`SELECT setval('${sequence}', max(${column})) FROM ${table} HAVING count(*) > 0`);
      }
      await sql.unsafe('UPDATE birth SET epoch = $1', [epoch]);
      await sql.unsafe('COMMIT');
    },
    close,
  };
}

export async function refuseRunningNodes(url: string): Promise<void> {
  const { sql, close } = await beginOn(url, 'BEGIN READ ONLY');
  const nodes = await sql.unsafe(LEASE_QUERIES.nodes).finally(close);
  if (nodes.length === 0) return;
  const urls = nodes.map((node) => text(node, 'url')).join(', ');
  throw new LedgerError('ledger_locked', `Relays run on this database (${urls}). Stop them first.`);
}

async function beginOn(
  url: string,
  begin: string,
): Promise<{ sql: ReservedSql; close: () => Promise<void> }> {
  const options = {
    url,
    connections: 1,
    connectWithinMs: CONNECT_WITHIN_MS,
    answerWithinMs: ANSWER_WITHIN_MS,
  };
  await prepareDatabase(options);
  const wire = openWire(options);
  try {
    // Without array types, the library reserves only an open connection (3.4.9).
    await wire.ask('SELECT 1');
    const sql = await wire.client().reserve();
    await sql.unsafe(begin);
    // A large table takes long, on either side.
    await sql.unsafe('SET LOCAL statement_timeout = 0');
    await sql.unsafe('SET LOCAL idle_in_transaction_session_timeout = 0');
    const close = async () => {
      sql.release();
      await wire.close();
    };
    return { sql, close };
  } catch (error) {
    await wire.close();
    throw ledgerError(error);
  }
}

/** Hashes are bytes, which JSON cannot express. */
function jsonOf(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
    ]),
  );
}
