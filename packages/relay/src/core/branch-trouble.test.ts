import { describe, expect, test } from 'vitest';
import {
  createGround,
  createHouse,
  type Ground,
  type House,
  sendOf,
  sessionObject,
  type TestPeer,
} from './core.suite.ts';
import { createLocalBus } from './local-bus.ts';
import type { Bus, Note } from './ports.ts';

/** A bus that delivers each message as often as `times` says. */
function countedBus(times: (note: Note) => number): Bus {
  const bus = createLocalBus();
  return {
    onNote: bus.onNote,
    publish: (note) => {
      for (let count = times(note); count > 0; count -= 1) bus.publish(note);
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
    ['lost at first', (note: Note, said: number) => (said > 1 || note.kind === 'beat' ? 1 : 0)],
    ['all repeated', () => 3],
  ] as const)(
    '[CHT-137] [CHT-292] [CHT-294] %s: chat, commands and launches have the usual outcome',
    async ([, often]) => {
      const said = new Map<string, number>();
      const bus = countedBus((note) => {
        const key = JSON.stringify(note);
        said.set(key, (said.get(key) ?? 0) + 1);
        return often(note, said.get(key) ?? 1);
      });
      const { keeper, branch, pass } = await createHouse(() => bus);
      await pass(2_000);
      const laptop = await keeper.proxy();
      await pass(2_000);
      const [far, near] = [await branch.browser('phone'), await keeper.browser('tablet')];
      far.say(sendOf('m1'));
      far.say(INTERRUPT);
      far.say(LAUNCH);
      await pass(2_000);
      expect(laptop.of('send_message')).toHaveLength(1);
      expect(laptop.of('agent_interrupt')).toHaveLength(1);
      expect(laptop.of('launch_session')).toHaveLength(1);
      const result = { request_id: 'r1', session_id: 's1', command: 'agent_interrupt', result: 'ok' };
      laptop.say({ type: 'agent_control_result', ...result });
      laptop.say({
        type: 'proxy_send_result',
        session_id: 's1',
        client_message_id: 'm1',
        result: 'delivered',
      });
      laptop.say({ type: 'session_launch_ack', request_id: 'l1', session_id: 's2' });
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
    const { keeper, branch, pass, ledger } = await createHouse(() => countedBus(() => (isUp ? 1 : 0)));
    const laptop = await keeper.proxy(['s1', 's2']);
    const [far, near] = [await branch.browser('phone'), await keeper.browser('tablet')];
    isUp = false;
    far.say(sendOf('m1'));
    laptop.say({ type: 'proxy_session_snapshot', sessions: ['s1', 's3'].map((id) => sessionObject(id)) });
    await pass(3_000);
    expect(laptop.of('send_message')).toEqual([]);
    await ledger.deleteSession('s2');
    isUp = true;
    await Promise.all([keeper.core.resync(), branch.core.resync(), branch.core.resync()]);
    await pass(100);
    expect(laptop.of('send_message')).toHaveLength(1);
    expect(sequencesOf(near)).toEqual([2, 3]);
    expect(far.of('session_up')).toMatchObject([{ session: { session_id: 's3' } }]);
    expect(far.of('session_closed')).toMatchObject([{ session_id: 's2' }]);
  });

  test('[CHT-142] [CHT-294] delivers a send whose follower died right after storing it', async () => {
    let isUp = true;
    const { keeper, branch, pass, another } = await createHouse(() =>
      countedBus((note) => (isUp || note.kind !== 'appended' ? 1 : 0)),
    );
    const laptop = await keeper.proxy();
    const far = await branch.browser('phone');
    await pass(1_500);
    isUp = false;
    far.say(sendOf('m1'));
    far.say(sendOf('m2'));
    await branch.core.stop();
    isUp = true;
    const elsewhere = await another();
    const back = await elsewhere.browser('phone');
    back.say(sendOf('m1'));
    await pass(1_500);
    expect(laptop.of('send_message').map((each) => each.client_message_id)).toEqual(['m1', 'm2']);
    expect(back.of('message_accepted')).toHaveLength(1);
    await pass(10_000);
    expect(keeper.faults).toEqual([]);
  });
});

test('[CHT-293] refuses a command without a leader, and stores sends', async () => {
  const { keeper, ledger } = await createHouse();
  await keeper.proxy();
  await keeper.core.stop();
  const branch = await createGround({ ledger, clock: keeper.clock, branch: true });
  const far = await branch.browser('phone');
  far.say(INTERRUPT);
  far.say({ ...INTERRUPT, request_id: 'r2' });
  far.say({ type: 'close_session', session_id: 's1', request_id: 'c1' });
  far.say(LAUNCH);
  far.say(sendOf('m1'));
  await branch.clock.advanceAsync(20);
  expect(far.of('message_accepted')).toHaveLength(1);
  await branch.clock.advanceAsync(6_000);
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
  const begin = async (): Promise<House & { readonly far: TestPeer; readonly next: Ground }> => {
    const house = await createHouse();
    const { keeper, branch, pass } = house;
    const laptop = await keeper.proxy();
    const far = await branch.browser('phone');
    await pass(1_500);
    far.say(sendOf('m1'));
    far.say(INTERRUPT);
    far.say(LAUNCH);
    await pass(50);
    expect(laptop.of('send_message')).toHaveLength(1);
    const next = await house.takeOver();
    return { ...house, far, next };
  };

  test('[CHT-160] [CHT-186] [CHT-293] [CHT-295] people stay connected, and commands under way end with a reason', async () => {
    const { far, next, pass } = await begin();
    for (const _ of ['the command', 'the launch']) {
      await pass(20_000);
      far.say({ type: 'heartbeat' });
    }
    expect(far.closed).toBeUndefined();
    expect(far.of('session_down')).toHaveLength(1);
    expect(far.of('message_failed')).toMatchObject([
      { client_message_id: 'm1', error: { code: 'delivery_unknown' }, indeterminate: true },
    ]);
    expect(far.of('agent_control_result')).toMatchObject([
      { request_id: 'r1', error: { code: 'delivery_unknown' } },
    ]);
    expect(far.of('session_launch_failed')).toMatchObject([
      { request_id: 'l1', error_code: 'launch_timeout' },
    ]);
    expect(next.faults).toEqual([]);
  });

  test('[CHT-190] [CHT-295] sends a launch outcome that the last leader stored and did not send', async () => {
    const { keeper, branch, takeOver, pass } = await createHouse(() =>
      countedBus((note) => (note.kind === 'told' && note.text.includes('session_launch_ack') ? 0 : 1)),
    );
    const laptop = await keeper.proxy([]);
    const far = await branch.browser('phone');
    far.say(LAUNCH);
    await pass(1_500);
    laptop.say({ type: 'session_launch_ack', request_id: 'l1', session_id: 's2' });
    await pass(100);
    await takeOver();
    expect(far.of('session_launch_ack')).toEqual([]);
    await pass(3_000);
    expect(far.of('session_launch_ack')).toMatchObject([{ session_id: 's2' }]);
  });

  test('[CHT-292] [CHT-295] the next leader delivers sends that were made without a leader', async () => {
    const { far, next, pass } = await begin();
    far.say(sendOf('m2'));
    await pass(1_500);
    const laptop = await next.proxy();
    far.say({ ...INTERRUPT, request_id: 'r2' });
    await pass(500);
    expect(laptop.of('send_message').map((each) => each.client_message_id)).toEqual(['m2']);
    expect(laptop.of('agent_interrupt')).toHaveLength(1);
    expect(sequencesOf(far)).toEqual(Array.from(sequencesOf(far), (_, place) => place + 2));
  });

  test('[CHT-158] [CHT-295] fails a send that may not wait and found no leader', async () => {
    const { keeper, branch, takeOver, pass } = await createHouse();
    await keeper.proxy();
    const far = await branch.browser('phone');
    const next = takeOver();
    far.say(sendOf('m1', { queue: false }));
    await next;
    await pass(1_500);
    expect(far.of('message_failed')).toMatchObject([{ error: { code: 'session_not_connected' } }]);
  });
});
