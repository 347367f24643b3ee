import { createSeededRandom, isDeep, type SeededRandom } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import {
  createCoreHarness,
  createNodePair,
  openPeer,
  proxyOf,
  sessionObject,
  type TestPeer,
} from '../../test/core/core-harness.ts';
import { createLocalBus } from '../../test/core/local-bus.ts';
import type { Bus } from './ports.ts';

const ROUNDS = isDeep ? 1_000 : 100;

/** A bus with a random delay per message; some messages arrive twice. */
function slowBus(random: SeededRandom, after: (ms: number, run: () => void) => void): Bus {
  const bus = createLocalBus();
  return {
    onMessage: bus.onMessage,
    publish: (message) => {
      for (let count = random.int(1, 2); count > 0; count -= 1)
        after(random.int(0, 20), () => bus.publish(message));
    },
    request: (message, timeout_ms) =>
      new Promise((resolve) => {
        const there = () => void bus.request(message, timeout_ms).then(back);
        const back = (node_id: string | undefined) => after(random.int(0, 20), () => resolve(node_id));
        for (let count = random.int(1, 2); count > 0; count -= 1) after(random.int(0, 20), there);
      }),
  };
}

const CHOICES = ['yes', 'no', 'always'];

test(`[CHT-219] [CHT-292] two people on two nodes answer one prompt: in ${ROUNDS} rounds one of them wins, and everyone sees the same`, async () => {
  const random = createSeededRandom(11);
  const { leader, follower, another, pass } = await createNodePair((after) => slowBus(random, after));
  const nodes = [leader, follower, await another()];
  const laptop = await leader.proxy();
  await pass(100);
  const watching = { features: ['prompt_answered'] };
  const people = await Promise.all(nodes.map((node, index) => node.browser(`phone${index}`, watching)));
  const [one, two, three] = people;
  if (one === undefined || two === undefined || three === undefined) throw new Error('three came');
  const wins = new Map<string, number>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const prompt_id = `p${round}`;
    const choices = CHOICES.map((choice_id) => ({ choice_id, label: choice_id, is_default: false }));
    laptop.send({ type: 'permission_prompt', session_id: 's1', prompt_id, prompt_text: 'Run it?', choices });
    await pass(40);
    const [first, second] = random.shuffle([one, two, three]);
    const answer = (peer: TestPeer | undefined, choice_id: string): void =>
      peer?.send({
        type: 'permission_response',
        request_id: `${prompt_id}-${choice_id}`,
        session_id: 's1',
        prompt_id,
        choice_id,
      });
    answer(first, 'yes');
    if (random.chance(0.5)) await pass(random.int(0, 15));
    answer(second, 'no');
    await pass(60);
    const asked = laptop.of('permission_response').filter((frame) => frame.prompt_id === prompt_id);
    expect(asked).toHaveLength(1);
    const { request_id, choice_id = '' } = asked[0] ?? {};
    const result = { request_id, session_id: 's1', command: 'permission_response', result: 'ok' };
    laptop.send({ type: 'agent_control_result', ...result });
    await pass(80);
    wins.set(choice_id, (wins.get(choice_id) ?? 0) + 1);
    const results = people.flatMap((peer) =>
      peer.of('agent_control_result').filter((frame) => frame.request_id?.startsWith(`${prompt_id}-`)),
    );
    expect(results.map((frame) => frame.result).toSorted()).toEqual(['failed', 'ok']);
    for (const peer of people) {
      const seen = peer.of('permission_prompt_answered').filter((frame) => frame.prompt_id === prompt_id);
      expect(seen.map((frame) => frame.choice_id)).toEqual([choice_id]);
    }
  }
  // Both win sometimes, so chance did decide.
  expect([...wins.keys()].toSorted()).toEqual(['no', 'yes']);
});

test(`[CHT-127] [CHT-292] two proxies claim one session: in ${ROUNDS} rounds one of them gets it`, async () => {
  const random = createSeededRandom(12);
  const { leader, ledger, pass, follower } = await createNodePair((after) => slowBus(random, after));
  // A former leader that has not noticed its lost lease.
  const former = await createCoreHarness({ ledger, clock: leader.clock });
  const far = await follower.browser();
  const connect = async (harness: typeof leader, device_id: string): Promise<TestPeer> => {
    const peer = openPeer(harness.core, proxyOf(device_id));
    await peer.hello();
    return peer;
  };
  const [one, two, lost] = [
    await connect(leader, 'desk'),
    await connect(leader, 'tower'),
    await connect(former, 'attic'),
  ];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const session_id = `s${round}`;
    const [first, second] = random.shuffle([one, random.pick([two, lost])]);
    for (const peer of [first, second]) {
      peer?.send({ type: 'proxy_session_snapshot', sessions: [sessionObject(session_id)] });
      if (random.chance(0.3)) await pass(random.int(0, 3));
    }
    await pass(30);
    const refused = [one, two, lost].flatMap((peer) =>
      peer.of('connection_error').filter((frame) => frame.session_id === session_id),
    );
    expect(refused).toHaveLength(1);
    const ups = far.of('session_up').filter(({ session }) => session.session_id === session_id);
    expect(ups.length).toBeLessThanOrEqual(1);
    expect((await ledger.eventsAfter(session_id, 0, 10))?.events).toMatchObject([{ type: 'session_up' }]);
  }
});
