import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { openForTest, postgresHarness, runSql } from '../../test/postgres/postgres-harness.ts';
import { event, session } from '../../test/samples.ts';

const harness = postgresHarness();
const EVENTS = 2_500;
const KEPT = 20;

/** A session of which most events are pruned, and the size of its partition. */
async function prunedLedger() {
  const url = await harness.createDatabase();
  const ledger = await openForTest({ url });
  await ledger.commit([session('a')]);
  for (let from = 0; from < EVENTS; from += 250) {
    const large = Array.from({ length: 250 }, (_, n) =>
      event('a', `e${from + n}`, { payload: { text: randomBytes(6_000).toString('base64') } }),
    );
    await ledger.commit(large);
  }
  await ledger.commit([{ do: 'prune_events', session_id: 'a', through: EVENTS - KEPT, limit: EVENTS }]);
  const [found] = await runSql(url, `SELECT tableoid::regclass::text AS name FROM drawbridge.events LIMIT 1`);
  const name = String(found?.['name']);
  const bytes = async () =>
    Number((await runSql(url, `SELECT pg_total_relation_size('${name}') AS bytes`))[0]?.['bytes']);
  const returnAll = async () => {
    while (await ledger.returnSpace());
  };
  return { url, ledger, name, bytes, returnAll };
}

test('a partition of which most is pruned shrinks, while sends go on', async () => {
  const { ledger, bytes, returnAll } = await prunedLedger();
  const before = await bytes();
  expect(before).toBeGreaterThan(EVENTS * 8_000);
  const returned = returnAll();
  let isOver = false;
  void returned.finally(() => {
    isOver = true;
  });
  let sent = 0;
  while (!isOver) {
    expect(await ledger.commit([event('a', `during-${sent}`)])).toMatchObject({ committed: true });
    sent += 1;
  }
  await returned;
  expect(sent).toBeGreaterThan(0);
  expect(await bytes()).toBeLessThan(before / 4);
  expect((await ledger.eventsAfter('a', 0, 9_999))?.events).toHaveLength(KEPT + sent);
  expect(await ledger.verify()).toEqual({ sessions: 1, events: KEPT + sent });
});

test('a partition that a backup reads is left alone, and commits do not wait for it', async () => {
  const { url, ledger, name, bytes, returnAll } = await prunedLedger();
  const before = await bytes();
  const backup = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(() => backup.end());
  await backup.begin(async (sql) => {
    await sql.unsafe(`LOCK TABLE ${name} IN ACCESS SHARE MODE`);
    await returnAll();
    expect(await ledger.commit([event('a', 'during')])).toMatchObject({ committed: true });
  });
  expect(await bytes()).toBeGreaterThanOrEqual(before);
  await returnAll();
  expect(await bytes()).toBeLessThan(before / 4);
});
