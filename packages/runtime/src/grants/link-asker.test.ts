import { type Bridge, createBridge } from '@drawbridge/bridge';
import { type Asker, BridgeError, type BridgeItem, LIMITS, type Question } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { createGatekeeper } from './gatekeeper.ts';
import { createGrantBook } from './grant-book.ts';
import { createLinkAsker } from './link-asker.ts';

const SHOP = 'https://shop.example';

/** An asker at one end of a connection, and a real bridge with an asker at the other. */
function setUp(asker?: Asker, features = ['questions']) {
  const fake = createFakeClock(1_800_000_000_000);
  const bridge: Bridge = createBridge({
    clock: {
      now: fake.now,
      after(ms, run) {
        const timer = fake.setTimeout(run, ms);
        return () => fake.clearTimeout(timer);
      },
    },
    ids: (kind) => kind,
  });
  const sent: BridgeItem[] = [];
  const connection = bridge.connectRuntime({
    send: (item) => item.type === 'grant_answer' && link.receive(item),
    ...(asker && { asker }),
  });
  const link = createLinkAsker({
    clock: fake,
    send: (item) => {
      sent.push(item);
      connection.receive(item);
    },
  });
  connection.receive({ type: 'runtime_ready', runtime_id: 'r1', url: SHOP, features });
  const withdrawal = new AbortController();
  const ask = (fields: Partial<Question> = {}) =>
    link.ask(
      {
        question_id: 'q1',
        runtime_id: 'r1',
        call_id: 'c1',
        origin: SHOP,
        name: 'order.place',
        effect: 'irreversible',
        sentence: 'order.place',
        data: [],
        call_hash: 'hash-1',
        expires_at: fake.now() + 5_000,
        ...fields,
      },
      withdrawal.signal,
    );
  return { fake, link, bridge, sent, ask, withdraw: () => withdrawal.abort() };
}

const silent: Asker = { ask: () => new Promise(() => {}) };
const once: Asker = { ask: async ({ call_hash }) => ({ decision: 'once', call_hash, by: 'Phone' }) };

test('[BRG-166] answers a question over the same connection', async () => {
  expect(await setUp(once).ask()).toEqual({ decision: 'once', call_hash: 'hash-1', by: 'Phone' });
  const until = 5;
  const always: Asker = {
    ask: async () => ({ decision: 'always', call_hash: 'hash-1', by: 'Phone', until }),
  };
  expect(await setUp(always).ask()).toEqual({ decision: 'always', call_hash: 'hash-1', by: 'Phone', until });
  expect(await setUp().ask()).toMatchObject({ decision: 'deny', reason: expect.stringContaining('relay') });
});

test('[BRG-166] shortens a text that no item can hold', async () => {
  const asked: Question[] = [];
  const asker: Asker = {
    ask(question, withdrawn) {
      asked.push(question);
      return once.ask(question, withdrawn);
    },
  };
  const long = 'x'.repeat(2 * LIMITS.label.value);
  await setUp(asker).ask({ sentence: long, data: [long], call_id: long });
  expect(asked[0]?.sentence).toHaveLength(LIMITS.label.value);
  expect(asked[0]?.data[0]).toMatch(/x…$/);
});

const LOST: readonly [string, (harness: ReturnType<typeof setUp>) => void, RegExp][] = [
  ['when the connection begins anew', ({ link }) => link.lost(), /connection .* was lost/],
  ['when nobody answers in its time', ({ fake }) => fake.advance(6_000), /Nobody answered/],
  ['when the call is over', ({ withdraw }) => withdraw(), /call was over/],
];

test.each(LOST)('[BRG-166] denies %s and ignores a later answer', async (_, lose, reason) => {
  const harness = setUp(silent);
  const answer = harness.ask();
  lose(harness);
  expect(await answer).toMatchObject({
    decision: 'deny',
    call_hash: 'hash-1',
    by: 'nobody',
    reason: expect.stringMatching(reason),
  });
  harness.link.receive({
    type: 'grant_answer',
    question_id: 'q1',
    decision: 'once',
    call_hash: 'hash-1',
    by: 'x',
  });
  expect(harness.fake.pending()).toBe(0);
});

test('[BRG-165] [BRG-166] withdraws the question of a call that ends', async () => {
  const withdrawn: string[] = [];
  const harness = setUp({
    ask: ({ question_id }, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => withdrawn.push(question_id));
      }),
  });
  const answer = harness.ask();
  harness.withdraw();
  await answer;
  expect(withdrawn).toEqual(['q1']);
  expect(await harness.ask({ question_id: 'q2' })).toMatchObject({ decision: 'deny' });
  expect(harness.sent.map(({ type }) => type)).toEqual(['grant_question', 'grant_withdrawn']);
});

test('[BRG-166] asks nobody over a closed connection', async () => {
  const link = createLinkAsker({
    clock: createFakeClock(0),
    send: () => {
      throw new BridgeError('transport_failed', 'The link was closed here.');
    },
  });
  const { signal } = new AbortController();
  const question: Question = {
    ...{ question_id: 'q1', runtime_id: 'r1', call_id: 'c1', origin: SHOP, name: 'pay', effect: 'act' },
    ...{ sentence: 'pay', data: [], call_hash: 'hash-1', expires_at: 1_000 },
  };
  expect(await link.ask(question, signal)).toMatchObject({ decision: 'deny', by: 'nobody' });
});

test('[BRG-129] [BRG-166] ignores an answer that was given for another call', async () => {
  const hashes = ['hash of another call'];
  const asker: Asker = {
    ask: async ({ call_hash }) => ({ decision: 'once', call_hash: hashes.shift() ?? call_hash, by: 'Phone' }),
  };
  const { link, fake } = setUp(asker);
  let made = 0;
  const options = { now: fake.now, newId: () => `id-${++made}` };
  const gatekeeper = createGatekeeper({ ...options, asker: link, grants: createGrantBook(options) });
  const permit = () =>
    gatekeeper.permit(
      {
        ...{ runtime_id: 'r1', runtime_key: 'tab-1', call_id: 'c1', origin: SHOP, name: 'order.place' },
        ...{ arguments: {}, effect: 'irreversible', remainingMs: 5_000 },
      },
      new AbortController().signal,
    );
  await expect(permit()).rejects.toMatchObject({
    code: 'permission_denied',
    evidence: { reason: 'the answer was for another call' },
  });
  await expect(permit()).resolves.toMatchObject({ grant_id: expect.any(String) });
});
