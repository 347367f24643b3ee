import { expect, test } from 'vitest';
import { createCoreHarness, openPeer, person, proxyOf, sendOf } from '../../test/core/core-harness.ts';

test('[CHT-94] closes a socket that sends no hello within 5 s, and keeps one that does', async () => {
  const { core, clock } = await createCoreHarness();
  const silent = openPeer(core, person());
  const polite = openPeer(core, person());
  await polite.hello();
  clock.advance(5_000);
  expect(silent.closed).toBeDefined();
  expect(polite.closed).toBeUndefined();
});

test('[CHT-85] [CHT-86] the credential decides the kind of a peer', async () => {
  const { core, proxy, browser } = await createCoreHarness();
  await proxy();
  const liar = openPeer(core, person());
  liar.send({ type: 'connection_hello', peer_role: 'proxy', client_name: 'test' });
  expect(liar.of('connection_error')).toMatchObject([{ code: 'unauthorized' }]);
  expect(liar.closed?.code).toBe(4401);
  const runtime = openPeer(core, { ...person(), roles: ['runtime', 'agent'] });
  runtime.send({ type: 'connection_hello', peer_role: 'browser', client_name: 'test' });
  expect(runtime.closed?.code).toBe(4401);
  const unauthenticated = openPeer(core, undefined);
  await unauthenticated.hello({ resume: { sessions: [{ session_id: 's1', last_sequence: 0 }] } });
  const phone = await browser();
  phone.send(sendOf('m1'));
  await phone.next('message_event');
  await unauthenticated.settled();
  expect(unauthenticated.frames.map(({ type }) => type)).toEqual(['connection_ack', 'heartbeat_ack']);
});

test('[CHT-102] [CHT-103] [CHT-104] [CHT-105] [CHT-106] [CHT-107] answers a frame that cannot be parsed, and ends the connection only when it cannot continue', async () => {
  const { core } = await createCoreHarness();
  const first = openPeer(core, person());
  first.send({ type: 'heartbeat', request_id: 'r1' });
  expect(first.of('connection_error')).toMatchObject([{ code: 'invalid_message', request_id: 'r1' }]);
  expect(first.closed).toBeDefined();

  const old = openPeer(core, person());
  old.send({ type: 'connection_hello', protocol_version: 7, peer_role: 'browser', client_name: 'test' });
  expect(old.of('connection_error')).toMatchObject([{ code: 'protocol_version_unsupported' }]);
  expect(old.closed).toBeDefined();

  const peer = openPeer(core, person());
  peer.send({ type: 'connection_hello', peer_role: 'browser' });
  expect(peer.of('connection_error')).toMatchObject([{ code: 'invalid_message' }]);
  expect(peer.closed).toBeUndefined();
  await peer.hello();
  peer.send({ type: 'connection_hello', peer_role: 'browser', client_name: 'test', request_id: 'r2' });
  await peer.settled();
  expect(peer.of('connection_ack')).toHaveLength(1);
  expect(peer.of('connection_error').at(-1)).toMatchObject({ code: 'invalid_message', request_id: 'r2' });
});

test('[CHT-105] [CHT-106] [CHT-107] a refusal repeats the ids of the frame, and the connection continues', async () => {
  const { browser } = await createCoreHarness();
  const peer = await browser();
  peer.sendText('{');
  peer.send({ type: 'send_message', session_id: 's1', client_message_id: 'm1', request_id: 'r1' });
  peer.send({ type: 'heartbeat' });
  expect(peer.of('connection_error')).toMatchObject([
    { code: 'invalid_message' },
    { code: 'invalid_message', session_id: 's1', client_message_id: 'm1', request_id: 'r1' },
  ]);
  expect(peer.closed).toBeUndefined();
  await peer.settled();
});

test('[CHT-109] [CHT-112] [CHT-114] an idle timeout ends a connection, a wall clock jump does not', async () => {
  const { browser, clock } = await createCoreHarness();
  const quiet = await browser('quiet');
  const lively = await browser('lively');
  clock.jump(86_400_000);
  clock.advance(20_000);
  clock.jump(-172_800_000);
  lively.send({ type: 'heartbeat', request_id: 'h1' });
  expect(await lively.next('heartbeat_ack')).toMatchObject({
    request_id: 'h1',
    connection_id: lively.connection_id,
  });
  clock.advance(9_999);
  expect(quiet.closed).toBeUndefined();
  clock.advance(1);
  expect(quiet.closed).toBeDefined();
  expect(lively.closed).toBeUndefined();
});

test('[CHT-98] sends a slow peer the lagging frame, closes it and sends nothing more; the others continue', async () => {
  const { browser, proxy, core } = await createCoreHarness();
  await proxy();
  const slow = await browser('slow', { features: ['lagging'] });
  const plain = await browser('plain');
  const phone = await browser();
  slow.stall();
  plain.stall();
  phone.send(sendOf('m1'));
  const { sequence } = await phone.next('message_event');
  expect(slow.closed?.code).toBe(4408);
  expect(slow.frames.at(-1)?.type).toBe('lagging');
  expect(plain.closed?.code).toBe(4408);
  expect(plain.frames.at(-1)?.type).toBe('session_snapshot');
  slow.send({ type: 'heartbeat' });
  expect(slow.frames.at(-1)?.type).toBe('lagging');

  const back = openPeer(core, person('slow'));
  await back.hello({ resume: { sessions: [{ session_id: 's1', last_sequence: 1 }] } });
  const delta = await back.next('history_delta');
  expect(delta.events.map((event) => event.sequence)).toEqual([2, sequence]);
  expect(back.sendClasses.at(-1)).toBe('history');
});

test('[CHT-93] a revoked device loses every connection, also before its hello', async () => {
  const { core, browser } = await createCoreHarness();
  const greeted = await browser('lost');
  const fresh = openPeer(core, person('lost'));
  const other = await browser('kept');
  core.dismiss('lost');
  expect([greeted.closed?.code, fresh.closed?.code, other.closed]).toEqual([4401, 4401, undefined]);
});

test('[CHT-259] a relay that stops sends hints, keeps what it accepted, and closes every connection', async () => {
  const harness = await createCoreHarness();
  const { core, browser, proxy } = harness;
  await proxy();
  const phone = await browser('phone', { features: ['reconnect_hint'] });
  const plain = await browser('plain');
  phone.send(sendOf('m1'));
  await core.stop();
  expect(phone.frames.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['reconnect_hint', 'message_accepted', 'message_event']),
  );
  expect(plain.of('reconnect_hint')).toEqual([]);
  expect([phone.closed?.code, plain.closed?.code]).toEqual([1001, 1001]);
  const late = openPeer(core, proxyOf());
  expect(late.closed?.code).toBe(1001);
  expect(await harness.ledger.message('s1', 'm1')).toMatchObject({ state: 'accepted' });
});

test('[CHT-92] [CHT-132] [CHT-145] a session that a person may not see does not exist for them', async () => {
  const { core, proxy, browser } = await createCoreHarness();
  await proxy(['s1', 's2']);
  const guest = openPeer(core, person('guest', ['session:s2']));
  await guest.hello({ resume: { sessions: [{ session_id: 's1', last_sequence: 0 }] } });
  expect(await guest.next('session_snapshot')).toMatchObject({ sessions: [{ session_id: 's2' }] });
  const phone = await browser();
  phone.send(sendOf('m1'));
  phone.send(sendOf('m2', { session_id: 's2' }));
  await guest.next('message_event');
  guest.send(sendOf('m3'));
  guest.send({ type: 'history_request', session_id: 's1' });
  guest.send({ type: 'close_session', session_id: 's1', request_id: 'r1' });
  guest.send({ type: 'agent_interrupt', session_id: 's1', request_id: 'r2' });
  guest.send({ type: 'launch_session', agent_type: 'codex', request_id: 'r3' });
  expect(await guest.next('agent_control_result')).toMatchObject({ error_code: 'session_unknown' });
  expect(await guest.next('session_launch_failed')).toMatchObject({ error_code: 'unauthorized' });
  await guest.settled();
  const named = guest.frames.filter((frame) => 'sequence' in frame && JSON.stringify(frame).includes('"s1"'));
  expect(named).toEqual([]);
  const codes = guest.of('connection_error').map(({ code }) => code);
  expect(codes).toEqual(Array.from({ length: codes.length }, () => 'session_unknown'));
  expect(codes.length).toBeGreaterThanOrEqual(3);
});
