import { describe, expect, test } from 'vitest';
import {
  type CoreHarness,
  createCoreHarness,
  createNodePair,
  type NodePair,
  sendOf,
  sessionObject,
  type TestPeer,
} from '../../test/core/core-harness.ts';
import { createLocalBus } from '../../test/core/local-bus.ts';
import type { Bus, BusMessage } from './ports.ts';

/** A bus that delivers each message as often as `times` says. */
function countedBus(times: (message: BusMessage) => number): Bus {
  const bus = createLocalBus();
  return {
    onMessage: bus.onMessage,
    publish: (message) => {
      for (let count = times(message); count > 0; count -= 1) bus.publish(message);
    },
    request: async (message, timeout_ms) => {
      const answers: (string | undefined)[] = [];
      for (let count = times(message); count > 0; count -= 1)
        answers.push(await bus.request(message, timeout_ms));
      return answers[0];
    },
  };
}

const sequencesOf = (peer: TestPeer, session_id = 's1'): readonly number[] =>
  peer.frames.flatMap((frame) =>
    'sequence' in frame && 'session_id' in frame && frame.session_id === session_id
      ? [Number(frame.sequence)]
      : [],
  );

const LAUNCH = { type: 'launch_session', request_id: 'l1', agent_type: 'codex' } as const;
const INTERRUPT = { type: 'agent_interrupt', session_id: 's1', request_id: 'r1' } as const;

describe('bus messages that are lost or repeated', () => {
  test.for([
    [
      'lost at first',
      (message: BusMessage, sent: number) => (sent > 1 || message.kind === 'heartbeat' ? 1 : 0),
    ],
    ['all repeated', () => 3],
  ] as const)(
    '[CHT-137] [CHT-292] [CHT-294] %s: chat, commands and launches have the usual outcome',
    async ([, often]) => {
      const sent = new Map<string, number>();
      const bus = countedBus((message) => {
        const key = JSON.stringify(message);
        sent.set(key, (sent.get(key) ?? 0) + 1);
        return often(message, sent.get(key) ?? 1);
      });
      const { leader, follower, pass } = await createNodePair(() => bus);
      await pass(2_000);
      const laptop = await leader.proxy();
      await pass(2_000);
      const [far, near] = [await follower.browser('phone'), await leader.browser('tablet')];
      far.send(sendOf('m1'));
      far.send(INTERRUPT);
      far.send(LAUNCH);
      await pass(2_000);
      expect(laptop.of('send_message')).toHaveLength(1);
      expect(laptop.of('agent_interrupt')).toHaveLength(1);
      expect(laptop.of('launch_session')).toHaveLength(1);
      const result = { request_id: 'r1', session_id: 's1', command: 'agent_interrupt', result: 'ok' };
      laptop.send({ type: 'agent_control_result', ...result });
      laptop.send({
        type: 'proxy_send_result',
        session_id: 's1',
        client_message_id: 'm1',
        result: 'delivered',
      });
      laptop.send({ type: 'session_launch_ack', request_id: 'l1', session_id: 's2' });
      await pass(3_000);
      expect(far.of('agent_control_result')).toHaveLength(1);
      expect(far.of('session_launching')).toHaveLength(1);
      expect(far.of('session_launch_ack')).toHaveLength(1);
      expect(far.of('session_up')).toHaveLength(1);
      expect(sequencesOf(far)).toEqual([2, 3, 4]);
      expect(sequencesOf(near)).toEqual([2, 3, 4]);
    },
  );

  test('[CHT-294] a bus outage: resync with the ledger misses nothing', async () => {
    let isUp = true;
    const { leader, follower, pass, ledger } = await createNodePair(() => countedBus(() => (isUp ? 1 : 0)));
    const laptop = await leader.proxy(['s1', 's2']);
    const [far, near] = [await follower.browser('phone'), await leader.browser('tablet')];
    isUp = false;
    far.send(sendOf('m1'));
    laptop.send({ type: 'proxy_session_snapshot', sessions: ['s1', 's3'].map((id) => sessionObject(id)) });
    await pass(3_000);
    expect(laptop.of('send_message')).toEqual([]);
    await ledger.deleteSession('s2');
    isUp = true;
    await Promise.all([leader.core.resync(), follower.core.resync(), follower.core.resync()]);
    await pass(100);
    expect(laptop.of('send_message')).toHaveLength(1);
    expect(sequencesOf(near)).toEqual([2, 3]);
    expect(far.of('session_up')).toMatchObject([{ session: { session_id: 's3' } }]);
    expect(far.of('session_closed')).toMatchObject([{ session_id: 's2' }]);
  });

  test('[CHT-142] [CHT-294] delivers a send whose follower died right after storing it', async () => {
    let isUp = true;
    const { leader, follower, pass, another } = await createNodePair(() =>
      countedBus((message) => (isUp || message.kind !== 'appended' ? 1 : 0)),
    );
    const laptop = await leader.proxy();
    const far = await follower.browser('phone');
    await pass(1_500);
    isUp = false;
    far.send(sendOf('m1'));
    far.send(sendOf('m2'));
    await follower.core.stop();
    isUp = true;
    const elsewhere = await another();
    const back = await elsewhere.browser('phone');
    back.send(sendOf('m1'));
    await pass(1_500);
    expect(laptop.of('send_message').map((each) => each.client_message_id)).toEqual(['m1', 'm2']);
    expect(back.of('message_accepted')).toHaveLength(1);
    await pass(10_000);
    expect(leader.faults).toEqual([]);
  });
});

test('[CHT-293] refuses a command without a leader, and stores sends', async () => {
  const { leader, ledger } = await createNodePair();
  await leader.proxy();
  await leader.core.stop();
  const follower = await createCoreHarness({ ledger, clock: leader.clock, follower: true });
  const far = await follower.browser('phone');
  far.send(INTERRUPT);
  far.send({ ...INTERRUPT, request_id: 'r2' });
  far.send({ type: 'close_session', session_id: 's1', request_id: 'c1' });
  far.send(LAUNCH);
  far.send(sendOf('m1'));
  await follower.clock.advanceAsync(20);
  expect(far.of('message_accepted')).toHaveLength(1);
  await follower.clock.advanceAsync(6_000);
  const failed = { result: 'failed', error: { code: 'send_rejected' } };
  expect(far.of('agent_control_result')).toMatchObject([
    { request_id: 'r1', ...failed },
    { request_id: 'r2', ...failed },
  ]);
  const refused = { code: 'send_rejected', request_id: 'c1', retry_after_ms: 1_000 };
  expect(far.of('connection_error')).toMatchObject([refused]);
  expect(far.of('session_launch_failed')).toMatchObject([{ request_id: 'l1', error_code: 'send_rejected' }]);
});

describe('another leader', () => {
  /** The proxy and its leader are gone in the middle of everything. */
  const begin = async (): Promise<NodePair & { readonly far: TestPeer; readonly next: CoreHarness }> => {
    const nodes = await createNodePair();
    const { leader, follower, pass } = nodes;
    const laptop = await leader.proxy();
    const far = await follower.browser('phone');
    await pass(1_500);
    far.send(sendOf('m1'));
    far.send(INTERRUPT);
    far.send(LAUNCH);
    await pass(50);
    expect(laptop.of('send_message')).toHaveLength(1);
    const next = await nodes.takeOver();
    return { ...nodes, far, next };
  };

  test('[CHT-160] [CHT-186] [CHT-293] [CHT-295] people stay connected, and commands under way end with a reason', async () => {
    const { far, next, pass } = await begin();
    for (const _ of ['the command', 'the launch']) {
      await pass(20_000);
      far.send({ type: 'heartbeat' });
    }
    expect(far.closed).toBeUndefined();
    expect(far.of('session_down')).toHaveLength(1);
    expect(far.of('message_failed')).toEqual([]);
    expect(far.of('agent_control_result')).toMatchObject([
      { request_id: 'r1', error: { code: 'delivery_unknown' } },
    ]);
    expect(far.of('session_launch_failed')).toMatchObject([
      { request_id: 'l1', error_code: 'launch_timeout' },
    ]);
    await next.proxy();
    await pass(100);
    expect(far.of('message_failed')).toMatchObject([
      { client_message_id: 'm1', error: { code: 'delivery_unknown' }, indeterminate: true },
    ]);
    expect(next.faults).toEqual([]);
  });

  test('[CHT-190] [CHT-295] sends a launch outcome that the last leader stored and did not send', async () => {
    const { leader, follower, takeOver, pass } = await createNodePair(() =>
      countedBus((message) =>
        message.kind === 'client_message' && message.text.includes('session_launch_ack') ? 0 : 1,
      ),
    );
    const laptop = await leader.proxy([]);
    const far = await follower.browser('phone');
    far.send(LAUNCH);
    await pass(1_500);
    laptop.send({ type: 'session_launch_ack', request_id: 'l1', session_id: 's2' });
    await pass(100);
    await takeOver();
    expect(far.of('session_launch_ack')).toEqual([]);
    await pass(3_000);
    expect(far.of('session_launch_ack')).toMatchObject([{ session_id: 's2' }]);
  });

  test('[CHT-292] [CHT-295] the next leader delivers sends that were made without a leader', async () => {
    const { far, next, pass } = await begin();
    far.send(sendOf('m2'));
    await pass(1_500);
    const laptop = await next.proxy();
    far.send({ ...INTERRUPT, request_id: 'r2' });
    await pass(500);
    expect(laptop.of('send_message').map((each) => each.client_message_id)).toEqual(['m2']);
    expect(laptop.of('agent_interrupt')).toHaveLength(1);
    const sequences = [...sequencesOf(far), ...far.of('session_up').map(({ sequence }) => Number(sequence))];
    expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from(sequences, (_, index) => index + 2));
  });

  test('[CHT-158] [CHT-295] fails a send that may not wait and found no leader', async () => {
    const { leader, follower, takeOver, pass } = await createNodePair();
    await leader.proxy();
    const far = await follower.browser('phone');
    const next = takeOver();
    far.send(sendOf('m1', { queue: false }));
    await next;
    await pass(1_500);
    expect(far.of('message_failed')).toMatchObject([{ error: { code: 'session_not_connected' } }]);
  });
});
