import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { QUERIES } from './queries.ts';
import { addRowCheck } from './row-check.ts';

/** Reads that may scan: those of a whole table, or of a partial index of open rows. */
const WALKS: Readonly<Record<string, string>> = {
  heads: 'SCAN sessions',
  liveSessions: 'SCAN sessions USING INDEX sessions_live',
  pendingLaunches: 'SCAN launches USING INDEX launches_pending',
  openTasks: 'SCAN tasks USING INDEX tasks_open',
  devices: 'SCAN devices',
};
/** Apart from these: few rows, or (`countMessages`) one session's. */
const SORTED_APART = ['liveSessions', 'pendingLaunches', 'countMessages'];

test('each read finds its rows by an index; none scans or sorts a table that grows', async () => {
  const path = join(await ledgerFolder(), 'ledger.db');
  await openForTest({ path });
  const reader = new DatabaseSync(path, { readOnly: true });
  addRowCheck(reader);
  for (const [name, query] of Object.entries(QUERIES)) {
    const plan = reader
      .prepare(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .map(({ detail }) => String(detail));
    const walks = plan.filter((step) => step.startsWith('SCAN'));
    expect([name, walks]).toEqual([name, WALKS[name] === undefined ? [] : [WALKS[name]]]);
    const sorts = plan.some((step) => step.includes('TEMP B-TREE'));
    expect([name, sorts]).toEqual([name, SORTED_APART.includes(name)]);
  }
  reader.close();
});

test.each([
  ['eventsAfter', 'SEARCH events USING INDEX events_order (session=? AND sequence>?)'],
  ['eventsBefore', 'SEARCH events USING INDEX events_order (session=? AND sequence<?)'],
  ['event', 'SEARCH events USING INDEX events_order (session=? AND sequence=?)'],
  ['unlinkedBefore', 'SEARCH events USING INDEX events_transcript (session=? AND sequence<?)'],
  ['latestOfMessage', 'SEARCH events USING INDEX events_message (session=? AND message_id=?)'],
] as const)('%s seeks directly', async (name, step) => {
  const path = join(await ledgerFolder(), 'ledger.db');
  await openForTest({ path });
  const reader = new DatabaseSync(path, { readOnly: true });
  const plan = reader.prepare(`EXPLAIN QUERY PLAN ${QUERIES[name]}`).all();
  reader.close();
  expect(plan.map(({ detail }) => detail)).toEqual([step]);
});
