import type { Sql, TransactionSql } from 'postgres';
import type { LedgerDamage, LedgerReport } from '../ledger.ts';
import { LedgerError } from '../ledger-error.ts';
import { eventOf } from '../rows/record-rows.ts';
import { hex, integer, type Row, text } from '../rows/row.ts';

const SESSIONS_AT_ONCE = 500;
const EVENTS_AT_ONCE = 1_000;

interface Chain {
  readonly session: Row;
  sequence: number;
  hash: string;
}

/** Checks every chain in one snapshot of the database, beside concurrent writers. */
export async function verifyDatabase(client: Sql): Promise<LedgerReport> {
  return client.begin('isolation level repeatable read read only', async (sql) => {
    await sql`SET LOCAL statement_timeout = 0`;
    const counted = { sessions: 0, events: 0 };
    const damage = (await brokenChain(sql, counted)) ?? (await strayRow(sql));
    return damage === undefined ? counted : { ...counted, damage };
  });
}

async function brokenChain(
  sql: TransactionSql,
  counted: { sessions: number; events: number },
): Promise<LedgerDamage | undefined> {
  let after = 0;
  for (;;) {
    const sessions: readonly Row[] =
      await sql`SELECT * FROM sessions WHERE session > ${after} ORDER BY session LIMIT ${SESSIONS_AT_ONCE}`;
    const last = sessions.at(-1);
    if (last === undefined) return undefined;
    after = integer(last, 'session');
    const chains = new Map(sessions.map((session) => [text(session, 'session_id'), chainOf(session)]));
    const events = sql`SELECT * FROM events WHERE session_id IN ${sql([...chains.keys()])}
      ORDER BY session_id, sequence`.cursor(EVENTS_AT_ONCE);
    for await (const rows of events) {
      for (const row of rows) {
        const damage = brokenLink(chains.get(text(row, 'session_id')), row);
        if (damage !== undefined) return damage;
        counted.events += 1;
      }
    }
    for (const chain of chains.values()) {
      const damage = brokenEnd(chain);
      if (damage !== undefined) return damage;
      counted.sessions += 1;
    }
  }
}

const chainOf = (session: Row): Chain => ({
  session,
  sequence: integer(session, 'oldest'),
  hash: hex(session, 'base_hash'),
});

function brokenLink(chain: Chain | undefined, row: Row): LedgerDamage | undefined {
  if (chain === undefined) return undefined;
  const { session } = chain;
  if (integer(row, 'sequence') !== chain.sequence) return damageOf(chain, 'it is missing');
  try {
    const event = eventOf(text(session, 'session_id'), row);
    if (event.prev_hash !== chain.hash) return damageOf(chain, 'it does not follow from the event before it');
    chain.hash = event.hash;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return damageOf(chain, 'it is not what was written');
  }
  chain.sequence += 1;
  return undefined;
}

function brokenEnd(chain: Chain): LedgerDamage | undefined {
  const { session, sequence, hash } = chain;
  if (integer(session, 'head') !== sequence - 1)
    return damageOf(chain, 'it is missing, and the session ends later');
  if (hex(session, 'head_hash') !== hash)
    return damageOf(chain, 'the session ends with another hash than its last event');
  return undefined;
}

function damageOf({ session, sequence }: Chain, problem: string): LedgerDamage {
  const session_id = text(session, 'session_id');
  return { where: `event ${sequence} of session ${session_id}`, session_id, sequence, problem };
}

/** Replaces foreign keys, which would cost as much as the row itself. */
async function strayRow(sql: TransactionSql): Promise<LedgerDamage | undefined> {
  for (const table of ['events', 'messages', 'prompts', 'files', 'tasks', 'tab_sessions']) {
    const [stray] = await sql`SELECT session_id FROM ${sql(table)} row WHERE session_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.session_id = row.session_id) LIMIT 1`;
    if (stray === undefined) continue;
    const session_id = text(stray, 'session_id');
    return { where: `${table} of session ${session_id}`, session_id, problem: 'its session is not there' };
  }
  return undefined;
}
