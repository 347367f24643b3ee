import { createSeededRandom, type FaultProxy, startFaultProxy } from '@drawbridge/testbed';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { openForTest, postgresHarness, runSql } from '../../test/postgres/postgres-harness.ts';
import { event, send, session } from '../../test/samples.ts';
import { LedgerError } from '../ledger-error.ts';
import type { Appended } from '../writes.ts';
import { packTransaction } from './packed-transaction.ts';

const STOPS = Number(process.env['DRAWBRIDGE_POSTGRES_STOPS'] ?? 1);
const harness = postgresHarness();

/** A ledger whose connections go through the fault proxy. */
async function behindProxy(more: { patienceMs?: number; answerWithinMs?: number } = {}) {
  const url = await harness.ledgerUrl();
  const { hostname, port } = new URL(url);
  const proxy = await startFaultProxy({ target: { host: hostname, port: Number(port) }, seed: 1 });
  onTestFinished(() => proxy.close());
  const through = new URL(url);
  through.hostname = proxy.host;
  through.port = String(proxy.port);
  const ledger = await openForTest({ url: through.href, shards: 1, ...more });
  await ledger.commit([session('a'), session('other')]);
  // Each statement is described at its first use, which needs an answer through the proxy.
  await ledger.commit([event('other', 'e1')]);
  return { url, proxy, ledger };
}

/** Number of events of `a` in the database, read past the proxy. */
const recorded = async (url: string): Promise<unknown> =>
  (await runSql(url, "SELECT head FROM drawbridge.sessions WHERE session_id = 'a'"))[0]?.['head'];

/** Commits a batch, and drops its answer. */
async function commitAndLoseAnswer(
  url: string,
  proxy: FaultProxy,
  ask: () => Promise<unknown>,
): Promise<{ readonly asked: Promise<unknown> }> {
  proxy.pause('down');
  const asked = ask();
  asked.catch(() => {});
  await expect.poll(() => recorded(url)).toBe('1');
  return { asked };
}

test('[CHT-130] a database that stops under load and restarts has all acknowledged events, once', async ({
  skip,
}) => {
  const server = harness.server();
  skip(!server.isOwn, 'the server that DRAWBRIDGE_TEST_POSTGRES names is not ours to stop');
  const ledger = await openForTest({ url: await harness.ledgerUrl(), timeoutMs: 60_000 });
  const sessions = ['s0', 's1', 's2'];
  await ledger.commit(sessions.map((each) => session(each)));
  const acknowledged = new Map<string, Appended>();
  let isOver = false;
  const writer = async (number: number): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      const session_id = `s${(number + n) % 3}`;
      const outcome = await ledger.commit([send(session_id, `${number}-${n}`)]);
      if (!outcome.committed) throw new Error(`${outcome.refusal.reason}: it was made twice`);
      acknowledged.set(`${session_id} ${number}-${n}`, outcome.results[0]);
    }
  };
  const writers = Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(writer));
  const random = createSeededRandom(3);
  for (let stop = 0; stop < STOPS; stop += 1) {
    const enough = acknowledged.size + random.int(1, 120);
    await expect.poll(() => acknowledged.size, { interval: 1, timeout: 60_000 }).toBeGreaterThan(enough);
    await server.stop(stop % 3 === 2 ? 'fast' : 'immediate');
    await server.start();
  }
  const enough = acknowledged.size + 20;
  await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(enough);
  isOver = true;
  await writers;
  expect((await ledger.verify()).damage).toBeUndefined();
  let events = 0;
  for (const { head } of await ledger.heads()) events += head;
  expect(events).toBe(acknowledged.size);
  for (const [key, { sequence }] of acknowledged) {
    const [session_id = '', id = ''] = key.split(' ');
    expect(await ledger.message(session_id, id)).toMatchObject({ sequence });
  }
});

test('looks up a batch whose answer was lost, and answers with its real outcome', async () => {
  const { url, proxy, ledger } = await behindProxy();
  const { asked } = await commitAndLoseAnswer(url, proxy, () => ledger.commit([send('a', 'm1')]));
  proxy.resume('down');
  proxy.cut();
  expect(await asked).toMatchObject({ committed: true, results: [{ sequence: 1 }] });
  expect(await ledger.commit([event('a', 'next')])).toMatchObject({ results: [{ sequence: 2 }] });
  expect((await ledger.verify()).damage).toBeUndefined();
});

test('resends a batch that never arrived, and commits it once', async () => {
  const { proxy, ledger } = await behindProxy();
  proxy.setFaults({ up: { cutAfterBytes: { min: 40, max: 40 } } });
  const asked = ledger.commit([send('a', 'm1')]);
  await expect.poll(() => proxy.stats().connections.cut).toBeGreaterThan(0);
  proxy.setFaults({});
  expect(await asked).toMatchObject({ committed: true, results: [{ sequence: 1 }] });
  expect(await ledger.session('a')).toMatchObject({ head: 1 });
});

test('answers unknown while the outcome cannot be known, and a retry does not commit again', async () => {
  const { url, proxy, ledger } = await behindProxy({ patienceMs: 300, answerWithinMs: 500 });
  const writes = [event('a', 'once')] as const;
  const { asked } = await commitAndLoseAnswer(url, proxy, () => ledger.commit(writes));
  await expect(asked).rejects.toMatchObject({ code: 'ledger_unknown' });
  proxy.cut();
  proxy.resume('down');
  const again = await insist(() => ledger.commit(writes));
  expect(again).toMatchObject({ committed: true, results: [{ sequence: 1 }] });
  // The next one is a new transaction.
  expect(await ledger.commit([event('a', 'twice')])).toMatchObject({ results: [{ sequence: 2 }] });
});

test('a batch that arrives after it was settled does nothing', async () => {
  const url = await harness.ledgerUrl();
  const ledger = await openForTest({ url });
  await ledger.commit([session('a')]);
  const client = postgres(url, { max: 1, connection: { search_path: 'drawbridge' } });
  onTestFinished(() => client.end());
  const connectionId = '7b0dd1de-0000-4000-8000-000000000000';
  const batchOf = (id: string) =>
    `{"sessions":["a"],"house":false,"fenced":false,"transactions":[${packTransaction([event('a', id)], undefined).text}]}`;
  const settle = async (number: number) =>
    (await client`SELECT settle_lane(${connectionId}, ${number}) AS outcome`)[0]?.['outcome'];
  const commit = (number: number) =>
    client`SELECT commit_batch(${connectionId}, ${number}, ${batchOf(`e${number}`)})`;
  expect(await settle(1)).toBeNull();
  await expect(commit(1)).rejects.toMatchObject({ code: 'DB001' });
  await commit(2);
  expect(JSON.parse(await settle(2))).toMatchObject([{ results: [[1, expect.any(String)]] }]);
  await expect(commit(2)).rejects.toMatchObject({ code: 'DB001' });
  expect(await ledger.session('a')).toMatchObject({ head: 1 });
});

test('without a database, commits and reads are rejected within a bounded time, and work again when it is back', async () => {
  const { proxy, ledger } = await behindProxy({ patienceMs: 200, answerWithinMs: 500 });
  await ledger.session('a');
  proxy.pause('up');
  proxy.cut();
  const asked = await Promise.allSettled([
    ledger.commit([event('a', 'e1')]),
    ledger.commit([send('a', 'm1')]),
    ledger.session('a'),
    ledger.heads(),
  ]);
  const codes = asked.map((each) => each.status === 'rejected' && each.reason.code);
  expect(new Set(codes.slice(2))).toEqual(new Set(['ledger_unreachable']));
  for (const code of codes.slice(0, 2)) expect(['ledger_unreachable', 'ledger_unknown']).toContain(code);
  proxy.cut();
  proxy.resume('up');
  expect(await insist(() => ledger.commit([send('a', 'm2')]))).toMatchObject({ committed: true });
  expect((await ledger.verify()).damage).toBeUndefined();
});

/** Retries like the core does for facts that nobody repeats. */
async function insist<Outcome>(commit: () => Promise<Outcome>): Promise<Outcome> {
  for (;;) {
    try {
      return await commit();
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
    }
  }
}
