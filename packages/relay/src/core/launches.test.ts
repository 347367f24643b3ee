import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { expect, test } from 'vitest';
import { createCoreHarness, type SentFrame, sessionObject } from '../../test/core/core-harness.ts';

const launch = (request_id: string, more: object = {}): SentFrame => ({
  type: 'launch_session',
  request_id,
  agent_type: 'opencode',
  ...more,
});

test('[CHT-180] [CHT-185] [CHT-188] [CHT-189] [CHT-192] forwards a launch unchanged, sends one outcome to its requester, and announces its session to all', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy([]);
  const phone = await browser();
  const person = await browser('desk');
  const asked = launch('r1', { workspace_path: '/work', extra: { kept: true } });
  phone.send(asked);
  expect(await laptop.next('launch_session')).toEqual({ protocol_version: 1, ...asked });
  expect(await phone.next('session_launching')).toMatchObject({ request_id: 'r1', agent_type: 'opencode' });
  laptop.send({ type: 'session_launch_ack', request_id: 'r1', session_id: 'new' });
  laptop.send({ type: 'session_launch_ack', request_id: 'r1', session_id: 'new' });
  const session = { session_id: 'new', agent_type: 'unknown', agent_name: 'opencode', status: 'healthy' };
  laptop.send({ type: 'proxy_session_snapshot', sessions: [session] });
  expect(await phone.next('session_launch_ack')).toMatchObject({ request_id: 'r1', session_id: 'new' });
  expect(await person.next('session_up')).toMatchObject({ session });
  await laptop.settled();
  expect(phone.of('session_launch_ack')).toHaveLength(1);
  expect(person.of('session_up')).toHaveLength(1);
  expect(person.frames.some(({ type }) => type.startsWith('session_launch'))).toBe(false);
});

test('[CHT-182] [CHT-183] [CHT-184] refuses a launch without a clear choice of proxy', async () => {
  const { browser, proxy } = await createCoreHarness();
  const phone = await browser();
  phone.send(launch('r1'));
  expect(await phone.next('session_launch_failed')).toMatchObject({ error_code: 'no_proxy_connected' });
  const one = await proxy([], 'one');
  const two = await proxy([], 'two');
  phone.send(launch('r2'));
  expect(await phone.next('session_launch_failed')).toMatchObject({
    error_code: 'invalid_message',
    reason: expect.stringContaining('one, two'),
  });
  phone.send(launch('r3', { machine_label: 'three' }));
  expect(await phone.next('session_launch_failed')).toMatchObject({ error_code: 'no_proxy_connected' });
  phone.send(launch('r4', { machine_label: 'two' }));
  await two.next('launch_session');
  expect(one.of('launch_session')).toEqual([]);
});

test('[CHT-114] [CHT-186] [CHT-192] a launch times out by a monotonic clock, and a late session is still announced', async () => {
  const { browser, proxy, clock } = await createCoreHarness({ times: { heartbeat_timeout_ms: 3_600_000 } });
  const laptop = await proxy([]);
  const phone = await browser();
  phone.send(launch('r1'));
  await phone.next('session_launching');
  clock.jump(86_400_000);
  clock.advance(29_999);
  await phone.settled();
  expect(phone.of('session_launch_failed')).toEqual([]);
  clock.advance(1);
  expect(await phone.next('session_launch_failed')).toMatchObject({ error_code: 'launch_timeout' });
  laptop.send({ type: 'session_launch_ack', request_id: 'r1', session_id: 'new' });
  await phone.next('session_up');
  expect(phone.of('session_launch_ack')).toEqual([]);
});

test('[CHT-187] [CHT-190] [CHT-191] a disconnected browser gets the outcome of its launch, and only that client, also after a restart', async () => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy([]);
  const phone = await harness.browser('phone', { client_id: 'tab' });
  phone.send(launch('r1'));
  phone.send(launch('r2'));
  await phone.next('session_launching');
  await phone.next('session_launching');
  phone.hangUp();
  laptop.send({
    type: 'session_launch_failed',
    request_id: 'r1',
    error_code: 'agent_not_open',
    reason: 'Closed',
  });
  await laptop.settled();
  const { browser, proxy, clock, ledger } = await harness.restart();
  expect(await ledger.pendingLaunches()).toMatchObject([{ request_id: 'r2' }]);
  const other = await browser('phone', { client_id: 'other' });
  expect(other.of('connection_ack')[0]?.pending_launches).toEqual([]);
  const back = await browser('phone', { client_id: 'tab' });
  expect(back.of('connection_ack')[0]?.pending_launches).toMatchObject([
    { request_id: 'r2', launched_at: '2026-01-01T00:00:00.000Z', timeout_at: '2026-01-01T00:00:30.000Z' },
  ]);
  expect(await back.next('session_launch_failed')).toMatchObject({
    request_id: 'r1',
    error_code: 'agent_not_open',
  });
  const again = await proxy([]);
  again.send({ type: 'session_launch_ack', request_id: 'r2', session_id: 'new' });
  expect(await back.next('session_launch_ack')).toMatchObject({ request_id: 'r2' });
  await back.settled();
  clock.advance(1);
  const third = await browser('phone', { client_id: 'tab' });
  await third.settled();
  expect(third.frames.filter(({ type }) => type.startsWith('session_launch'))).toEqual([]);
  expect(other.frames.filter(({ type }) => type.startsWith('session_launch'))).toEqual([]);
});

test('[CHT-193] [CHT-194] a request_id is pending once: its own browser gets it again, another is refused', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy([]);
  const phone = await browser();
  const person = await browser('desk');
  phone.send(launch('r1'));
  phone.send(launch('r1'));
  await phone.next('session_launching');
  await phone.next('session_launching');
  person.send(launch('r1'));
  expect(await person.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id: 'r1' });
  const tab = await browser();
  tab.send(launch('r1'));
  expect(await tab.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id: 'r1' });
  phone.hangUp();
  tab.send(launch('r1'));
  await tab.next('session_launching');
  expect(laptop.of('launch_session')).toHaveLength(1);
});

test('[CHT-192] [CHT-194] sends no outcome that is not stored: a repeated request is reported as pending', async () => {
  let full = false;
  const fault = () => (full ? ('ledger_full' as const) : undefined);
  const ledger = openMemoryLedger({ epoch: 'e1', synced: [] }, { fault });
  const { browser, proxy, faults, restart } = await createCoreHarness({ ledger });
  const laptop = await proxy([]);
  const phone = await browser('phone', { client_id: 'tab' });
  phone.send(launch('r1'));
  await phone.next('session_launching');
  phone.hangUp();
  full = true;
  laptop.send({
    type: 'session_launch_failed',
    request_id: 'r1',
    error_code: 'agent_not_open',
    reason: 'The launch is not open.',
  });
  await expect.poll(() => faults).not.toEqual([]);
  const back = await browser('phone', { client_id: 'tab' });
  expect(back.of('connection_ack')).toMatchObject([{ pending_launches: [{ request_id: 'r1' }] }]);
  back.send(launch('r1'));
  await back.next('session_launching');
  expect(back.of('session_launch_failed')).toEqual([]);
  full = false;
  const later = await (await restart()).browser('phone', { client_id: 'tab' });
  expect(later.of('connection_ack')).toMatchObject([{ pending_launches: [{ request_id: 'r1' }] }]);
});

test('[CHT-196] [CHT-199] [CHT-234] [CHT-235] [CHT-236] [CHT-237] [CHT-238] commands go to the proxy of their session, and answers to their requester', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy(['s1'], 'laptop');
  const tower = await proxy(['s2'], 'tower');
  const phone = await browser();
  const person = await browser('desk');
  phone.send({ type: 'agent_interrupt', session_id: 's1', request_id: 'r1' });
  expect(await laptop.next('agent_interrupt')).toMatchObject({ request_id: 'r1' });
  person.send({ type: 'agent_interrupt', session_id: 's1', request_id: 'r1' });
  expect(await person.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id: 'r1' });
  const ok = { type: 'agent_control_result', command: 'agent_interrupt', result: 'ok' } as const;
  tower.send({ ...ok, session_id: 's2', request_id: 'r1' });
  tower.send({ ...ok, session_id: 's1', request_id: 'r1' });
  expect(await tower.next('connection_error')).toMatchObject({ code: 'unauthorized', session_id: 's1' });
  laptop.send({ ...ok, session_id: 's1', request_id: 'r1' });
  expect(await phone.next('agent_control_result')).toMatchObject({
    request_id: 'r1',
    command: 'agent_interrupt',
  });
  expect(person.of('agent_control_result')).toEqual([]);

  phone.send({ type: 'agent_set_model', session_id: 's2', model_id: 'large' });
  const { request_id = '' } = await tower.next('agent_set_model');
  const failed = { result: 'failed', error: { code: 'model_not_available', message: 'No' } } as const;
  tower.send({ ...ok, ...failed, command: 'agent_set_model', session_id: 's2', request_id });
  expect(await phone.next('agent_control_result')).toMatchObject({
    request_id,
    error_code: 'model_not_available',
  });

  phone.send({ type: 'agent_interrupt', session_id: 'none', request_id: 'r2' });
  expect(await phone.next('agent_control_result')).toMatchObject({ error_code: 'session_unknown' });
  phone.send({ type: 'agent_interrupt', session_id: 's2', request_id: 'r3' });
  await tower.next('agent_interrupt');
  tower.hangUp();
  expect(await phone.next('agent_control_result')).toMatchObject({
    request_id: 'r3',
    error_code: 'delivery_unknown',
  });
  phone.send({ type: 'agent_interrupt', session_id: 's2', request_id: 'r4' });
  expect(await phone.next('agent_control_result')).toMatchObject({ error_code: 'no_proxy_connected' });
  phone.send({ type: 'close_session', session_id: 's2', request_id: 'r5' });
  expect(await phone.next('connection_error')).toMatchObject({
    code: 'session_not_connected',
    request_id: 'r5',
  });
});

test('[CHT-215] [CHT-244] [CHT-250] [CHT-251] a configuration is broadcast, stored, and sent at once on request', async () => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy();
  const phone = await harness.browser();
  laptop.send({ type: 'agent_config', session_id: 's1', model_id: 'small' });
  laptop.send({
    type: 'agent_config',
    session_id: 's1',
    model_id: 'large',
    capabilities: { interrupt: true },
  });
  await phone.next('agent_config');
  expect(await phone.next('agent_config')).toMatchObject({ model_id: 'large', sequence: 3 });
  phone.send({ type: 'agent_config_request', session_id: 's1', request_id: 'r1' });
  const cached = await phone.next('agent_config');
  expect(cached).toMatchObject({ model_id: 'large', request_id: 'r1' });
  expect(cached).not.toHaveProperty('sequence');
  await laptop.next('agent_config_request');
  const { browser } = await harness.restart();
  const again = await browser();
  expect(again.of('connection_ack')[0]?.session_configs).toEqual({
    s1: { model_id: 'large', capabilities: { interrupt: true } },
  });
});

test('[CHT-118] [CHT-119] [CHT-120] [CHT-121] [CHT-122] [CHT-127] [CHT-128] a proxy’s report makes an event when it changes something', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy(['s1', 's2']);
  const phone = await browser();
  const report = (...sessions: object[]) => laptop.send({ type: 'proxy_session_snapshot', sessions });
  const two = sessionObject('s2');
  report(sessionObject('s1', { last_seen_at: '2026-01-01T00:00:00.000Z' }), two);
  report(sessionObject('s1', { status: 'degraded' }), two);
  report(sessionObject('s1', { status: 'degraded', window_title: 'Title' }), two);
  laptop.send({ type: 'proxy_status', session_id: 's1', activity: { kind: 'thinking' } });
  laptop.send({ type: 'proxy_status', session_id: 's1', status: 'degraded' });
  report(sessionObject('s1', { status: 'degraded', window_title: 'Title', activity: { kind: 'idle' } }));
  expect(await phone.next('session_down')).toMatchObject({ session_id: 's2', reason: 'target_closed' });
  await laptop.settled();
  const types = phone.frames.filter((frame) => 'sequence' in frame).map(({ type }) => type);
  expect(types).toEqual(['session_status', 'session_up', 'session_status', 'session_down', 'session_status']);
  const thief = await proxy(['s1'], 'thief');
  expect(thief.of('connection_error')).toMatchObject([{ code: 'unauthorized', session_id: 's1' }]);
  thief.send({ type: 'proxy_status', session_id: 's1', status: 'healthy' });
  thief.send({ type: 'proxy_status', session_id: 'none', status: 'healthy' });
  await thief.settled();
  expect(thief.of('connection_error').slice(1)).toMatchObject([
    { code: 'unauthorized', session_id: 's1' },
    { code: 'session_unknown', session_id: 'none' },
  ]);
  laptop.hangUp();
  expect(await phone.next('session_down')).toMatchObject({ session_id: 's1', reason: 'proxy_disconnected' });
  await proxy(['s1']);
  expect(await phone.next('session_up')).toMatchObject({ session: { window_title: 'Title' } });
  expect(await phone.next('session_up')).toMatchObject({ session: { status: 'healthy' } });
});

test('[CHT-182] [CHT-184] [CHT-280] does not launch with a proxy that starts no agents', async () => {
  const { browser, proxy } = await createCoreHarness();
  await proxy(['browser_asks'], 'asks', { features: ['no_launch'] });
  const phone = await browser();
  phone.send(launch('r1'));
  expect(await phone.next('session_launch_failed')).toMatchObject({ error_code: 'no_proxy_connected' });
  const laptop = await proxy();
  phone.send(launch('r2'));
  expect(await laptop.next('launch_session')).toMatchObject({ request_id: 'r2' });
});

test('a device has 20 pending launches at most; another device and its next one after an outcome go on', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy([]);
  const phone = await browser();
  for (let at = 0; at < 665; at += 1) phone.send(launch(`r${at}`));
  for (let at = 0; at < 20; at += 1) await phone.next('session_launching');
  expect(laptop.of('launch_session')).toHaveLength(20);
  const refused = phone.of('session_launch_failed');
  expect(refused).toHaveLength(645);
  expect(refused[0]).toMatchObject({
    ...{ request_id: 'r20', error_code: 'rate_limited' },
    reason: expect.stringMatching(/pending_launches.* in 30 s/),
  });
  const person = await browser('desk');
  person.send(launch('other'));
  await person.next('session_launching');
  laptop.send({ type: 'session_launch_failed', request_id: 'r0', error_code: 'x', reason: 'x' });
  await expect.poll(() => phone.of('session_launch_failed')).toHaveLength(646);
  phone.send(launch('again'));
  await phone.next('session_launching');
  expect(laptop.of('launch_session')).toHaveLength(22);
});
