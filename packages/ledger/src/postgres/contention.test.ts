import { createSeededRandom } from '@drawbridge/testbed';
import fc from 'fast-check';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { openForTest, postgresHarness, runSql } from '../../test/postgres/postgres-harness.ts';
import { event, prompt, send, session, task } from '../../test/samples.ts';

/** `npm run deep` sets a higher count. */
const ROUNDS = Number(process.env['DRAWBRIDGE_CLAIM_ROUNDS'] ?? 10);
const harness = postgresHarness();

async function twoNodes() {
  const url = await harness.ledgerUrl();
  return { url, one: await openForTest({ url }), two: await openForTest({ url }) };
}

test('two nodes that write to the same sessions in any order wait for each other, and neither is refused', async () => {
  const { one, two } = await twoNodes();
  const names = ['a', 'b', 'c', 'd', 'e'];
  await one.commit(names.map((each) => session(each)));
  const random = createSeededRandom(5);
  const write = async (ledger: typeof one, node: string) => {
    for (let round = 0; round < 15; round += 1) {
      const asked = Array.from({ length: 6 }, (_, n) =>
        ledger.commit([
          ...random.shuffle(names).map((each) => event(each, `${node}-${round}-${n}-${each}`)),
          { do: 'put_setting', key: 'last', value: `${node}-${round}-${n}` },
        ]),
      );
      for (const outcome of await Promise.all(asked)) expect(outcome.committed).toBe(true);
    }
  };
  await Promise.all([write(one, 'n1'), write(two, 'n2')]);
  expect(await one.heads()).toEqual(names.map((session_id) => ({ session_id, head: 180, oldest: 1 })));
  expect((await one.verify()).damage).toBeUndefined();
});

test('retries a batch that was ended for a deadlock', async () => {
  const { url, one } = await twoNodes();
  await one.commit([session('a'), session('b')]);
  // Another client that locks in the opposite order, and does not detect deadlocks itself.
  const options = { search_path: 'drawbridge', deadlock_timeout: '1h' };
  const unauthenticated = postgres(url, { max: 1, connection: options });
  onTestFinished(() => unauthenticated.end());
  const lock = (sql: postgres.TransactionSql, id: string) =>
    sql`SELECT 1 FROM sessions WHERE session_id = ${id} FOR UPDATE`;
  let asked: Promise<unknown> | undefined;
  await unauthenticated.begin(async (sql) => {
    await lock(sql, 'b');
    asked = one.commit([event('a', 'e1'), event('b', 'e1')]);
    const isWaiting = async () => (await sql`SELECT 1 FROM pg_locks WHERE NOT granted`).length;
    await expect.poll(isWaiting).toBeGreaterThan(0);
    await lock(sql, 'a');
  });
  expect(await asked).toMatchObject({ committed: true, results: [{ sequence: 1 }, { sequence: 1 }] });
});

test(
  `[CHT-142] records one of two copies of a send, an answer, a session, a new task or a taken one on two nodes at once, in ${ROUNDS} rounds`,
  async () => {
    const { one, two } = await twoNodes();
    await one.commit([session('a')]);
    const random = createSeededRandom(13);
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = `m${round}`;
      await one.commit([prompt('a', id), task('a', `old ${id}`, 0)]);
      const answer = (device: string) =>
        ({
          do: 'move_prompt',
          session_id: 'a',
          prompt_id: id,
          from: ['open'],
          to: 'answering',
          answer: { device },
          at: 5,
        }) as const;
      const pairs = await Promise.all(
        [
          [send('a', id), send('a', id)],
          [session(id), session(id)],
          [task('a', id, 0), task('a', id, 0)],
          [task('a', `old ${id}`, 1), task('a', `old ${id}`, 1)],
          [answer('phone'), answer('laptop')],
        ].map((pair) => {
          const nodes = random.shuffle([one, two]);
          return Promise.all(pair.map(async (write, index) => (nodes[index] ?? one).commit([write])));
        }),
      );
      expect(pairs.map((pair) => pair.filter(({ committed }) => committed).length)).toEqual([1, 1, 1, 1, 1]);
      const reasons = pairs.map((pair) =>
        pair.flatMap((each) => (each.committed ? [] : [each.refusal.reason])),
      );
      expect(reasons).toEqual([
        ['message_repeated'],
        ['session_exists'],
        ['task_changed'],
        ['task_changed'],
        ['prompt_changed'],
      ]);
    }
    expect(await one.session('a')).toMatchObject({ head: ROUNDS });
  },
  60_000 + ROUNDS * 200,
);

test('a write that the database cannot store fails alone, whatever shares its batch', async () => {
  const url = await harness.ledgerUrl();
  const ledger = await openForTest({ url, shards: 1 });
  await ledger.commit([session('a')]);
  const answers = await Promise.allSettled([
    ledger.commit([event('a', 'e1')]),
    ledger.commit([event('a', 'bad', { at: 1.5 })]),
    ledger.commit([send('a', 'm1'), session('b', { at: 1e300 })]),
    ledger.commit([event('a', 'e2')]),
  ]);
  expect(answers).toMatchObject([
    { value: { results: [{ sequence: 1 }] } },
    { reason: { code: 'ledger_invalid' } },
    { reason: { code: 'ledger_invalid' } },
    { value: { results: [{ sequence: 2 }] } },
  ]);
  expect(await ledger.message('a', 'm1')).toBeUndefined();
});

test('the database hashes any text as the relay does', async () => {
  const { one } = await twoNodes();
  const letters = ['"', '\\', '\n', '\u0001', '\u007f', 'é', '\u2028', '😀', 'x'];
  const id = fc.string({ unit: fc.constantFrom(...letters), minLength: 1 });
  const any = fc.string({ unit: fc.constantFrom(...letters, '\0', '\ud800', '\udc00') });
  let made = 0;
  await fc.assert(
    fc.asyncProperty(any, id, id, async (text, name, kind) => {
      made += 1;
      const session_id = `${made} ${name}`;
      await one.commit([
        session(session_id),
        event(session_id, name, {
          payload: { text, [text]: [text] },
          type: kind,
          message_id: kind,
          at: made,
        }),
        event(session_id, 'next'),
      ]);
      // Each event is checked against its hash at the read.
      const page = await one.eventsAfter(session_id, 0, 9);
      expect(page?.events).toMatchObject([{ payload: { text }, type: kind }, { event_id: 'next' }]);
    }),
    { numRuns: 30 },
  );
  expect((await one.verify()).damage).toBeUndefined();
});

test('verify finds and names rows that were changed behind the ledger', async () => {
  const { url, one } = await twoNodes();
  await one.commit([session('a'), session('b'), event('a', 'e1'), event('a', 'e2'), event('b', 'e1')]);
  expect(await one.verify()).toEqual({ sessions: 2, events: 3 });
  const damage = async (statement: string) => {
    await runSql(url, `SET search_path = drawbridge; ${statement}`);
    return (await one.verify()).damage;
  };
  expect(
    await damage("UPDATE events SET payload = '{}' WHERE session_id = 'a' AND sequence = 2"),
  ).toMatchObject({
    session_id: 'a',
    sequence: 2,
    problem: 'it is not what was written',
  });
  await expect(one.eventsAfter('a', 0, 9)).rejects.toMatchObject({ code: 'ledger_damaged' });
  expect(await damage("DELETE FROM events WHERE session_id = 'a' AND sequence = 1")).toMatchObject({
    sequence: 1,
  });
  expect(await damage("DELETE FROM sessions WHERE session_id = 'a'")).toMatchObject({
    problem: 'its session is not there',
  });
  await runSql(url, "DELETE FROM drawbridge.events WHERE session_id = 'a'");
  expect(await damage("UPDATE sessions SET head_hash = base_hash WHERE session_id = 'b'")).toMatchObject({
    session_id: 'b',
    problem: 'the session ends with another hash than its last event',
  });
});
