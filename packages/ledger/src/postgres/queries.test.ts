import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { openForTest, postgresHarness } from '../../test/postgres/postgres-harness.ts';
import { QUERIES } from './queries.ts';

const harness = postgresHarness();

/** Reads that return the whole table. */
const WALKS: ReadonlySet<string> = new Set(['heads', 'devices']);

test('each read has an index that finds its rows', async () => {
  const url = await harness.ledgerUrl();
  await openForTest({ url });
  // Makes sequential scans expensive, because an empty table is always scanned.
  const settings = {
    search_path: 'drawbridge',
    plan_cache_mode: 'force_generic_plan',
    enable_seqscan: false,
    enable_bitmapscan: false,
    enable_sort: false,
    enable_hashjoin: false,
  };
  const client = postgres(url, { max: 1, connection: settings, onnotice: () => {} });
  onTestFinished(() => client.end());
  const problems: string[] = [];
  for (const [name, query] of Object.entries(QUERIES)) {
    const count = Math.max(0, ...[...query.matchAll(/\$(\d)/g)].map(([, number]) => Number(number)));
    const values = count === 0 ? '' : `(${Array.from({ length: count }, () => "'1'").join(', ')})`;
    await client.unsafe(`PREPARE ${name} AS ${query}`);
    const rows = await client.unsafe(`EXPLAIN (COSTS OFF) EXECUTE ${name}${values}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    if (/Seq Scan/.test(plan) && !WALKS.has(name)) problems.push(`${name} walks:\n${plan}`);
  }
  expect(problems).toEqual([]);
});
