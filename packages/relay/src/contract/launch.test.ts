import { describe, expect, test } from 'vitest';
import { fresh, typesAbout, useRelay } from '../../test/contract/contract-harness.ts';
import { launchOf, listOf, sessionObject } from '../../test/contract/frames.ts';
import type { Device, Loose, Peer } from '../../test/contract/peer.ts';

const harness = useRelay();

/** A proxy with a unique label, and a person who asks it for an agent. */
async function asked(more: Loose = {}, hello: Loose = {}) {
  const machine_label = fresh('machine');
  const request_id = fresh('launch');
  const proxy = await harness.connect('proxy', { machine_label });
  const person = await harness.connect('person', hello);
  const frame = launchOf(request_id, { machine_label, ...more });
  person.send(frame);
  return { machine_label, request_id, proxy, person, frame };
}

async function launching(more: Loose = {}, hello: Loose = {}) {
  const launch = await asked(more, hello);
  await launch.person.next('session_launching');
  await launch.proxy.next('launch_session');
  return launch;
}

const ackOf = (request_id: string, session_id: string, more: Loose = {}) => ({
  type: 'session_launch_ack',
  request_id,
  session_id,
  ...more,
});

const failureOf = (request_id: string) => ({
  type: 'session_launch_failed',
  request_id,
  error_code: 'agent_not_open',
  reason: 'The agent is not running',
});

const deviceOf = (peer: Peer): Device | 'person' => peer.device ?? 'person';
const pendingOf = (peer: Peer) =>
  peer.all('connection_ack').flatMap(({ pending_launches = [] }) => pending_launches);

/** Advances the clock while everyone stays connected. */
async function wait(ms: number, ...peers: readonly Peer[]): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    harness.clock.advance(Math.min(left, 10_000));
    await harness.idle();
    for (const peer of peers) await peer.settled();
  }
}

describe('choosing the proxy', () => {
  test('[CHT-180] the proxy gets the frame unchanged', async () => {
    const { proxy, frame } = await asked({
      agent_type: 'opencode',
      workspace_path: '/home/ada/bridge',
      window_title: 'bridge',
      custom: { kept: true },
    });
    await proxy.next('launch_session');
    expect(JSON.parse(proxy.texts.at(-1) ?? '')).toEqual({ protocol_version: 1, ...frame });
  });

  test('[CHT-181] a stranger’s launch is not forwarded, and fails as unauthorized', async () => {
    const machine_label = fresh('machine');
    const proxy = await harness.connect('proxy', { machine_label });
    const unauthenticated = await harness.connect('stranger');
    unauthenticated.send(launchOf('l1', { machine_label }));
    expect(await unauthenticated.next('session_launch_failed')).toMatchObject({
      request_id: 'l1',
      error_code: 'unauthorized',
    });
    await proxy.settled();
    expect(proxy.all('launch_session')).toEqual([]);
  });

  test('[CHT-182] fails at once with no proxy connected', async () => {
    await harness.restart();
    const person = await harness.connect('person');
    person.send(launchOf('l1'));
    expect(await person.next('session_launch_failed')).toMatchObject({
      request_id: 'l1',
      error_code: 'no_proxy_connected',
    });
    expect(person.all('session_launching')).toEqual([]);
  });

  test('[CHT-180] needs no machine_label with one proxy connected', async () => {
    await harness.restart();
    const proxy = await harness.connect('proxy', { machine_label: 'only' });
    const person = await harness.connect('person');
    person.send(launchOf(fresh('launch')));
    await proxy.next('launch_session');
  });

  test('[CHT-183] machine_label picks the proxy', async () => {
    const other = await harness.connect('proxy', { machine_label: fresh('machine') });
    const { proxy } = await asked();
    await proxy.next('launch_session');
    await other.settled();
    expect(other.all('launch_session')).toEqual([]);
  });

  test('[CHT-183] fails for a machine_label that no proxy has', async () => {
    await harness.connect('proxy', { machine_label: fresh('machine') });
    const person = await harness.connect('person');
    person.send(launchOf('l1', { machine_label: 'nowhere' }));
    expect(await person.next('session_launch_failed')).toMatchObject({ error_code: 'no_proxy_connected' });
  });

  test('[CHT-184] several proxies and no machine_label: none is asked, and all are named', async () => {
    const labels = [fresh('machine'), fresh('machine')];
    const proxies = [];
    for (const machine_label of labels) proxies.push(await harness.connect('proxy', { machine_label }));
    const person = await harness.connect('person');
    person.send(launchOf('l1'));
    const { error_code, reason } = await person.next('session_launch_failed');
    expect(error_code).toBe('invalid_message');
    for (const label of labels) expect(reason).toContain(label);
    for (const proxy of proxies) {
      await proxy.settled();
      expect(proxy.all('launch_session')).toEqual([]);
    }
  });

  test('[CHT-185] only the browser that asked gets session_launching', async () => {
    const other = await harness.connect('person');
    const { request_id, person } = await asked();
    expect(await person.next('session_launching')).toMatchObject({ request_id, agent_type: 'claude' });
    await other.settled();
    expect(other.all('session_launching')).toEqual([]);
  });
});

describe('the outcome', () => {
  test('[CHT-186] times out after 30 s without an outcome', async () => {
    const { request_id, person, proxy } = await launching();
    await wait(29_999, person, proxy);
    expect(person.all('session_launch_failed')).toEqual([]);
    harness.clock.advance(1);
    expect(await person.next('session_launch_failed')).toMatchObject({
      request_id,
      error_code: 'launch_timeout',
      agent_type: 'claude',
    });
    expect(pendingOf(await harness.connect(deviceOf(person)))).toEqual([]);
  });

  test('[CHT-114] a wall clock jump times no launch out', async () => {
    const { request_id, person, proxy } = await launching();
    harness.clock.jump(3_600_000);
    await wait(29_000, person, proxy);
    harness.clock.jump(-7_200_000);
    await harness.idle();
    await person.settled();
    expect(person.all('session_launch_failed')).toEqual([]);
    harness.clock.jump(3_600_000);
    proxy.send(ackOf(request_id, fresh('session')));
    await person.next('session_launch_ack');
  });

  test('[CHT-187] a client that reconnects finds the launch pending, with its times', async () => {
    const { request_id, person } = await launching();
    const launched_at = new Date(harness.clock.now()).toISOString();
    const timeout_at = new Date(harness.clock.now() + 30_000).toISOString();
    await person.cut();
    const again = await harness.connect(deviceOf(person));
    expect(pendingOf(again)).toEqual([{ request_id, agent_type: 'claude', launched_at, timeout_at }]);
  });

  test('[CHT-187] no other client finds it', async () => {
    await launching();
    expect(pendingOf(await harness.connect('person'))).toEqual([]);
  });

  test('[CHT-188] an ack goes to the requester, and the launch is no longer pending', async () => {
    const other = await harness.connect('person');
    const { request_id, person, proxy } = await launching();
    const session_id = fresh('session');
    proxy.send(ackOf(request_id, session_id));
    expect(await person.next('session_launch_ack')).toMatchObject({ request_id, session_id });
    await other.next('session_up', { session: { session_id } });
    await other.settled();
    expect(other.all('session_launch_ack')).toEqual([]);
    expect(pendingOf(await harness.connect(deviceOf(person)))).toEqual([]);
  });

  test('[CHT-188] a failure goes to the requester, and the launch is no longer pending', async () => {
    const other = await harness.connect('person');
    const { request_id, person, proxy } = await launching();
    proxy.send(failureOf(request_id));
    expect(await person.next('session_launch_failed')).toMatchObject({
      request_id,
      error_code: 'agent_not_open',
      reason: 'The agent is not running',
    });
    await other.settled();
    expect(other.all('session_launch_failed')).toEqual([]);
    expect(pendingOf(await harness.connect(deviceOf(person)))).toEqual([]);
  });

  test('[CHT-188] accepts an outcome only from the proxy that was asked', async () => {
    const { request_id, person, proxy } = await launching();
    const other = await harness.connect('proxy', { machine_label: fresh('machine') });
    other.send(failureOf(request_id));
    await other.settled();
    await harness.idle();
    proxy.send(ackOf(request_id, fresh('session')));
    await person.next('session_launch_ack');
    expect(person.all('session_launch_failed')).toEqual([]);
  });

  test('[CHT-189] announces the session to everyone once, also when it was not listed yet', async () => {
    const other = await harness.connect('owner');
    const { request_id, person, proxy } = await launching();
    const session_id = fresh('session');
    proxy.send(ackOf(request_id, session_id));
    for (const peer of [person, other]) {
      expect((await peer.next('session_up')).session).toMatchObject({ session_id, agent_type: 'claude' });
    }
    proxy.send(listOf(sessionObject(session_id, { agent_type: 'claude' })));
    proxy.send({ type: 'proxy_status', session_id, status: 'degraded' });
    await other.next('session_status');
    expect(typesAbout(other, session_id)).toEqual(['session_up', 'session_status']);
  });

  test('[CHT-189] announces the session once when it was listed before the ack', async () => {
    const { request_id, person, proxy } = await launching();
    const session_id = fresh('session');
    proxy.send(listOf(sessionObject(session_id, { display_name: 'Claude' })));
    proxy.send(ackOf(request_id, session_id));
    await person.next('session_launch_ack');
    expect(typesAbout(person, session_id)).toEqual(['session_up', 'session_launch_ack']);
  });

  test.each([
    ['session_launch_ack', (request_id: string) => ackOf(request_id, fresh('session'))],
    ['session_launch_failed', failureOf],
  ] as const)(
    '[CHT-190] %s for a disconnected browser is held until it is back, once',
    async (type, outcomeOf) => {
      const { request_id, person, proxy } = await launching();
      await person.cut();
      proxy.send(outcomeOf(request_id));
      await proxy.settled();
      const again = await harness.connect(deviceOf(person));
      expect(await again.next(type)).toMatchObject({ request_id });
      await again.settled();
      const later = await harness.connect(deviceOf(person));
      await later.settled();
      expect(later.all(type)).toEqual([]);
    },
  );

  test('[CHT-190] holds an outcome no longer than the launch could have been pending', async () => {
    const { request_id, person, proxy } = await launching();
    await person.cut();
    proxy.send(failureOf(request_id));
    await proxy.settled();
    await wait(30_001, proxy);
    const again = await harness.connect(deviceOf(person));
    await again.settled();
    expect(again.all('session_launch_failed')).toEqual([]);
  });

  test('[CHT-191] the requester is the client of the device, where it has named itself', async () => {
    const { request_id, person, proxy } = await launching({}, { client_id: 'tab 1' });
    await person.cut();
    const [other, same] = [
      await harness.connect(deviceOf(person), { client_id: 'tab 2' }),
      await harness.connect(deviceOf(person), { client_id: 'tab 1' }),
    ];
    expect(pendingOf(other)).toEqual([]);
    expect(pendingOf(same)).toMatchObject([{ request_id }]);
    proxy.send(failureOf(request_id));
    await same.next('session_launch_failed');
    await other.settled();
    expect(other.all('session_launch_failed')).toEqual([]);
  });

  test.each([{}, { client_id: 'any' }])(
    '[CHT-191] the requester is the device, where its client has no name: it is back as %j',
    async (hello) => {
      const { request_id, person, proxy } = await launching();
      await person.cut();
      const again = await harness.connect(deviceOf(person), hello);
      expect(pendingOf(again)).toMatchObject([{ request_id }]);
      proxy.send(failureOf(request_id));
      await again.next('session_launch_failed');
    },
  );

  test('[CHT-192] an ack after the timeout is no second outcome, but its session is announced', async () => {
    const { request_id, person, proxy } = await launching();
    await wait(30_000, person, proxy);
    await person.next('session_launch_failed');
    const session_id = fresh('session');
    proxy.send(ackOf(request_id, session_id));
    await person.next('session_up', { session: { session_id } });
    await proxy.settled();
    await person.settled();
    expect(person.all('session_launch_ack')).toEqual([]);
  });

  test('[CHT-192] the first of two outcomes counts', async () => {
    const { request_id, person, proxy } = await launching();
    const session_id = fresh('session');
    proxy.send(failureOf(request_id));
    proxy.send(ackOf(request_id, session_id));
    await person.next('session_up', { session: { session_id } });
    await person.settled();
    expect(person.all('session_launch_failed')).toHaveLength(1);
    expect(person.all('session_launch_ack')).toEqual([]);
  });
});

describe('repeated requests', () => {
  test.each([
    ['another device', async (_: Peer) => harness.connect('person')],
    ['another connection of the device', async (person: Peer) => harness.connect(deviceOf(person))],
  ])('[CHT-193] %s cannot use a request_id that is pending', async (_, another) => {
    const { request_id, person, proxy, frame } = await launching();
    const other = await another(person);
    other.send(frame);
    expect(await other.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id });
    proxy.send(ackOf(request_id, fresh('session')));
    await person.next('session_launch_ack');
    expect(proxy.all('launch_session')).toHaveLength(1);
  });

  test('[CHT-194] a repeat on the same connection is one launch', async () => {
    const { request_id, person, proxy, frame } = await launching();
    person.send(frame);
    expect(await person.next('session_launching')).toMatchObject({ request_id });
    await proxy.settled();
    expect(proxy.all('launch_session')).toHaveLength(1);
  });

  test('[CHT-194] a repeat after that connection ended is one launch', async () => {
    const { request_id, person, proxy, frame } = await launching();
    await person.cut();
    const again = await harness.connect(deviceOf(person));
    again.send(frame);
    expect(await again.next('session_launching')).toMatchObject({ request_id });
    proxy.send(ackOf(request_id, fresh('session')));
    await again.next('session_launch_ack');
    expect(proxy.all('launch_session')).toHaveLength(1);
  });
});

test('[CHT-215] a pending launch survives a restart, and still times out', async () => {
  const { request_id, person } = await launching();
  await harness.restart();
  const again = await harness.connect(deviceOf(person));
  expect(pendingOf(again)).toMatchObject([{ request_id }]);
  await wait(30_000, again);
  expect(await again.next('session_launch_failed')).toMatchObject({
    request_id,
    error_code: 'launch_timeout',
  });
});

test('[CHT-215] the outcome of a launch reaches its requester after a restart', async () => {
  const { request_id, person, proxy, machine_label } = await launching();
  await harness.restart();
  const again = await harness.connect(deviceOf(person));
  const back = await harness.connect(proxy.device ?? 'proxy', { machine_label });
  back.send(ackOf(request_id, fresh('session')));
  await again.next('session_launch_ack', { request_id });
});
