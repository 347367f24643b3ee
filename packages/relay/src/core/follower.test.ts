import { describe, expect, test } from 'vitest';
import {
  createNodePair,
  openPeer,
  person,
  proxyOf,
  sendOf,
  sessionObject,
  type TestPeer,
} from '../../test/core/core-harness.ts';

const PROMPT = {
  type: 'permission_prompt',
  session_id: 's1',
  prompt_id: 'p1',
  prompt_text: 'Run it?',
  choices: [
    { choice_id: 'yes', label: 'Yes', is_default: false },
    { choice_id: 'no', label: 'No', is_default: true },
  ],
} as const;

const answerOf = (request_id: string, choice_id = 'yes') =>
  ({ type: 'permission_response', request_id, session_id: 's1', prompt_id: 'p1', choice_id }) as const;

const okOf = (request_id: string, command = 'permission_response') =>
  ({ type: 'agent_control_result', request_id, session_id: 's1', command, result: 'ok' }) as const;

/** A peer's initial state, without the parts that differ by connection, and by node: each counts its own `state_seq`. */
const shownTo = (peer: TestPeer) => ({
  acks: peer
    .of('connection_ack')
    .map(({ connection_id: _, server_ts: _at, state_epoch: _run, ...ack }) => ack),
  snapshots: peer.of('session_snapshot').map(({ sessions }) => sessions),
});

describe('a person on a follower', () => {
  test('[CHT-136] [CHT-147] [CHT-163] [CHT-292] sends: accepted there, delivered by the leader, seen by everyone', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy();
    const [far, near] = [await follower.browser('phone'), await leader.browser('tablet')];
    for (const id of ['m1', 'm2', 'm3']) far.send(sendOf(id));
    near.send(sendOf('m4'));
    await pass(100);
    const forwarded = laptop.of('send_message').map(({ client_message_id }) => client_message_id);
    expect(forwarded.toSorted()).toEqual(['m1', 'm2', 'm3', 'm4']);
    for (const client_message_id of forwarded) {
      laptop.send({ type: 'proxy_send_result', session_id: 's1', client_message_id, result: 'delivered' });
    }
    laptop.send({
      type: 'proxy_message',
      session_id: 's1',
      message: {
        message_id: 'a1',
        role: 'assistant',
        content: 'Done.',
        created_at: '2026-01-01T00:00:00.000Z',
      },
    });
    await pass(100);
    for (const peer of [far, near]) {
      expect(peer.of('message_delivered')).toHaveLength(4);
      expect(peer.of('message_event').at(-1)?.message.content).toBe('Done.');
    }
    const inOrder = near.of('message_accepted').map(({ client_message_id }) => client_message_id);
    expect(forwarded).toEqual(inOrder);
    expect([...leader.faults, ...follower.faults]).toEqual([]);
  });

  test('[CHT-156] [CHT-158] [CHT-292] sends while the proxy is away: queued until it is back, or failed when they may not wait', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy();
    const far = await follower.browser();
    laptop.hangUp();
    far.send(sendOf('seems', { queue: false }));
    await pass(100);
    expect(far.of('message_failed')).toMatchObject([
      { client_message_id: 'seems', error: { code: 'session_not_connected' } },
    ]);
    far.send(sendOf('away', { queue: false }));
    far.send(sendOf('waits'));
    await pass(100);
    expect(far.of('message_failed').map((each) => each.client_message_id)).toEqual(['seems', 'away']);
    const back = await leader.proxy();
    await pass(100);
    expect(back.of('send_message').map((each) => each.client_message_id)).toEqual(['waits']);
  });

  test('[CHT-292] cancels and edits queued sends', async () => {
    const { leader, follower, pass } = await createNodePair();
    (await leader.proxy()).hangUp();
    const far = await follower.browser('phone', { features: ['queue'] });
    await pass(100);
    far.send(sendOf('m1'));
    far.send(sendOf('m2'));
    await pass(100);
    far.send({ type: 'cancel_message', request_id: 'r1', session_id: 's1', client_message_id: 'm1' });
    far.send({
      type: 'edit_message',
      request_id: 'r2',
      session_id: 's1',
      client_message_id: 'm2',
      content: 'other',
    });
    await pass(100);
    const back = await leader.proxy();
    await pass(100);
    expect(back.of('send_message')).toMatchObject([{ client_message_id: 'm2', content: 'other' }]);
  });

  test('[CHT-237] [CHT-238] [CHT-293] commands the agent, and the answer reaches that browser', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy();
    const far = await follower.browser('phone', { client_id: 'tab' });
    const [other, near] = [await follower.browser('tablet'), await leader.browser('desk')];
    far.send({ type: 'agent_interrupt', session_id: 's1', request_id: 'r1' });
    far.send({ type: 'agent_set_model', session_id: 's1', request_id: 'r2', model_id: 'm' });
    far.send({ type: 'agent_interrupt', session_id: 'none', request_id: 'r3' });
    await pass(100);
    expect(laptop.frames.map(({ type }) => type).slice(-2)).toEqual(['agent_interrupt', 'agent_set_model']);
    laptop.send(okOf('r1', 'agent_interrupt'));
    laptop.send(okOf('r2', 'agent_set_model'));
    await pass(100);
    const results = far.of('agent_control_result').map(({ request_id, result }) => [request_id, result]);
    expect(results.toSorted()).toEqual([
      ['r1', 'ok'],
      ['r2', 'ok'],
      ['r3', 'failed'],
    ]);
    expect([...other.of('agent_control_result'), ...near.of('agent_control_result')]).toEqual([]);
  });

  test('[CHT-324] [CHT-292] is shown the latest chat list when connecting later, also on a node that joined later', async () => {
    const { leader, follower, another, pass } = await createNodePair();
    const laptop = await leader.proxy();
    const listOf = (title: string) => ({
      type: 'chat_list' as const,
      session_id: 's1',
      chats: [{ id: 'c1', kind: 'chat', title }],
    });
    const listing = { features: ['chat_list', 'rate_limits'] };
    const far = await follower.browser('phone', listing);
    await pass(1_000);
    laptop.send(listOf('First'));
    laptop.send(listOf('Second'));
    await pass(100);
    expect(far.of('chat_list').map(({ chats }) => chats[0]?.title)).toEqual(['First', 'Second']);
    const late = await follower.browser('tablet', listing);
    const joined = await another();
    await pass(1_000);
    const [there, plain] = [await joined.browser('desk', listing), await joined.browser('old')];
    const subscriber = await joined.browser('watch');
    subscriber.send({ type: 'subscribe', request_id: 'q1', sessions: ['s1'] });
    await pass(100);
    for (const peer of [late, there, subscriber])
      expect(peer.of('chat_list').map(({ chats }) => chats[0]?.title)).toEqual(['Second']);
    expect(far.of('chat_list')).toHaveLength(2);
    laptop.send({ type: 'rate_limit_active', session_id: 's1', percent_used: 91 });
    await pass(100);
    const latest = await joined.browser('last', listing);
    for (const peer of [far, there, subscriber, latest])
      expect(peer.of('rate_limit_active')).toMatchObject([{ percent_used: 91 }]);
    expect(plain.of('chat_list')).toEqual([]);
    expect([...leader.faults, ...follower.faults, ...joined.faults]).toEqual([]);
  });

  test('[CHT-213] [CHT-214] [CHT-217] [CHT-219] answers a prompt once, and sees the open ones', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy();
    laptop.send(PROMPT);
    await pass(100);
    const [far, near] = [await follower.browser('phone'), await leader.browser('tablet')];
    expect(far.of('connection_ack')[0]?.open_prompts).toMatchObject([{ prompt_id: 'p1' }]);
    far.send(answerOf('r1'));
    await pass(100);
    near.send(answerOf('r2', 'no'));
    expect((await follower.browser('late')).of('connection_ack')[0]?.open_prompts).toEqual([]);
    await pass(100);
    expect(laptop.of('permission_response')).toMatchObject([{ choice_id: 'yes', answered_by: 'Phone' }]);
    expect(near.of('agent_control_result')).toMatchObject([{ error: { code: 'prompt_not_found' } }]);
    laptop.send(okOf('r1'));
    await pass(100);
    expect(far.of('agent_control_result')).toMatchObject([{ request_id: 'r1', result: 'ok' }]);
    for (const peer of [far, near]) {
      expect(peer.of('permission_prompt_expired')).toMatchObject([
        { prompt_id: 'p1', applied_choice: 'yes' },
      ]);
    }
  });

  test('[CHT-221] sees a prompt open again after its answer failed', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy();
    const far = await follower.browser('phone');
    laptop.send(PROMPT);
    await pass(100);
    far.send(answerOf('r1'));
    await pass(100);
    const error = { code: 'agent_not_active', message: 'no' };
    laptop.send({ ...okOf('r1'), result: 'failed', error });
    await pass(100);
    expect(far.of('permission_prompt')).toHaveLength(2);
    const late = await follower.browser('late');
    expect(late.of('connection_ack')[0]?.open_prompts).toMatchObject([{ prompt_id: 'p1' }]);
  });

  test('[CHT-185] [CHT-187] [CHT-188] [CHT-194] launches an agent and follows the launch', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy([]);
    const far = await follower.browser('phone', { client_id: 'tab' });
    const launch = { type: 'launch_session', request_id: 'l1', agent_type: 'codex' } as const;
    far.send(launch);
    await pass(100);
    expect(far.of('session_launching')).toMatchObject([{ request_id: 'l1' }]);
    far.hangUp();
    await pass(100);
    const back = await follower.browser('phone', { client_id: 'tab' });
    expect(back.of('connection_ack')[0]?.pending_launches).toMatchObject([{ request_id: 'l1' }]);
    back.send(launch);
    await pass(100);
    expect(back.of('session_launching')).toHaveLength(1);
    expect(laptop.of('launch_session')).toHaveLength(1);
    laptop.send({ type: 'session_launch_ack', request_id: 'l1', session_id: 's9' });
    await pass(100);
    expect(back.of('session_launch_ack')).toMatchObject([{ request_id: 'l1', session_id: 's9' }]);
    expect(back.of('session_up')).toMatchObject([{ session: { session_id: 's9' } }]);
  });

  test('[CHT-190] gets the outcome of a launch that came while disconnected, once', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy([]);
    const far = await follower.browser();
    far.send({ type: 'launch_session', request_id: 'l1', agent_type: 'codex' });
    await pass(100);
    far.hangUp();
    laptop.send({
      type: 'session_launch_failed',
      request_id: 'l1',
      error_code: 'agent_not_open',
      reason: 'no',
    });
    await pass(6_000);
    const back = await follower.browser();
    await pass(100);
    expect(back.of('session_launch_failed')).toMatchObject([
      { request_id: 'l1', error_code: 'agent_not_open' },
    ]);
    const again = await follower.browser();
    await pass(100);
    expect(again.of('session_launch_failed')).toEqual([]);
  });

  test('[CHT-196] [CHT-199] [CHT-266] closes a session, and everyone sees it end', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy();
    const [far, near] = [await follower.browser(), await leader.browser('tablet')];
    far.send({ type: 'close_session', request_id: 'c1', session_id: 's1' });
    await pass(100);
    laptop.send({ type: 'session_closed', session_id: 's1' });
    await pass(100);
    for (const peer of [far, near]) {
      expect(peer.of('session_closed')).toMatchObject([{ session_id: 's1', request_id: 'c1' }]);
    }
    expect((await follower.browser('late')).of('session_snapshot')).toMatchObject([{ sessions: [] }]);
  });

  test('[CHT-116] [CHT-214] [CHT-251] [CHT-292] sees exactly what the leader shows', async () => {
    const { leader, follower, pass, another } = await createNodePair();
    const laptop = await leader.proxy(['s1', 's2', 's3']);
    const gone = await leader.proxy(['s4'], 'gone');
    laptop.send(PROMPT);
    laptop.send({ type: 'agent_config', session_id: 's2', model_id: 'fast' });
    laptop.send({ type: 'proxy_status', session_id: 's2', status: 'degraded' });
    laptop.send({ type: 'proxy_status', session_id: 's1', activity: { kind: 'thinking', label: 'hm' } });
    laptop.send({ type: 'session_closed', session_id: 's3' });
    gone.hangUp();
    await pass(100);
    const fresh = await another();
    const shown = await Promise.all(
      [leader, follower, fresh].map(async (each) => shownTo(await each.browser())),
    );
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
    expect(shown[0]?.snapshots[0]).toHaveLength(3);
  });

  test('[CHT-92] [CHT-292] sees and commands only the session that the device was given', async () => {
    const { leader, follower, pass } = await createNodePair();
    const laptop = await leader.proxy(['s1', 's2']);
    const guest = openPeer(follower.core, person('guest', ['session:s2']));
    await guest.hello();
    guest.send(sendOf('m1'));
    guest.send({ type: 'agent_interrupt', session_id: 's1', request_id: 'r1' });
    guest.send({ type: 'launch_session', request_id: 'l1', agent_type: 'codex' });
    await pass(100);
    expect(guest.of('connection_error')).toMatchObject([
      { code: 'session_unknown', client_message_id: 'm1' },
    ]);
    expect(guest.of('agent_control_result')).toMatchObject([{ error: { code: 'session_unknown' } }]);
    expect(guest.of('session_launch_failed')).toMatchObject([{ error_code: 'unauthorized' }]);
    expect(laptop.frames.filter(({ type }) => type !== 'heartbeat_ack')).toHaveLength(1);
  });

  test('[CHT-93] [CHT-292] loses every connection when its device is revoked on any node', async () => {
    const { leader, follower } = await createNodePair();
    const [far, other] = [await follower.browser('phone'), await follower.browser('tablet')];
    leader.core.revoke('phone');
    expect(far.closed).toMatchObject({ code: 4401 });
    expect(other.closed).toBeUndefined();
  });
});

test('a follower closes a proxy’s connection so that it connects to the leader', async () => {
  const { follower } = await createNodePair();
  const laptop = openPeer(follower.core, proxyOf());
  laptop.send({ type: 'connection_hello', peer_role: 'proxy', client_name: 'test' });
  expect(laptop.closed).toMatchObject({ code: 1001 });
});

test('[CHT-86] [CHT-181] a stranger on a follower learns nothing and can ask nothing', async () => {
  const { leader, follower, pass } = await createNodePair();
  const laptop = await leader.proxy();
  const unauthenticated = openPeer(follower.core, undefined);
  const ack = await unauthenticated.hello();
  expect(ack.open_prompts).toBeUndefined();
  unauthenticated.send({ type: 'launch_session', request_id: 'l1', agent_type: 'codex' });
  unauthenticated.send({ type: 'agent_interrupt', session_id: 's1', request_id: 'r1' });
  await pass(100);
  expect(unauthenticated.of('session_launch_failed')).toMatchObject([{ error_code: 'unauthorized' }]);
  expect(unauthenticated.of('connection_error')).toMatchObject([{ code: 'unauthorized' }]);
  expect(laptop.of('launch_session')).toEqual([]);
});

test('[CHT-129] a session that is deleted and announced again starts over on a follower', async () => {
  const { leader, follower, ledger, pass } = await createNodePair();
  const laptop = await leader.proxy();
  const far = await follower.browser();
  laptop.send({ type: 'session_closed', session_id: 's1' });
  await pass(100);
  await ledger.deleteSession('s1');
  for (const _ of ['refused, as it was deleted', 'taken as a new one']) {
    laptop.send({ type: 'proxy_session_snapshot', sessions: [sessionObject('s1')] });
    await pass(100);
  }
  expect(far.of('session_up').map(({ sequence }) => sequence)).toEqual([1]);
  far.send(sendOf('m1'));
  await pass(100);
  expect(far.of('message_accepted')).toMatchObject([{ sequence: 2 }]);
  expect(laptop.of('send_message')).toHaveLength(1);
});
