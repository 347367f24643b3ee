import { expect, test } from 'vitest';
import { fresh, marked, typesAbout, useRelay } from '../../test/contract/contract-harness.ts';
import { closeOf, contentOf, historyOf, promptOf, sendOf } from '../../test/contract/frames.ts';
import type { Peer } from '../../test/contract/peer.ts';

const harness = useRelay();

const closed = (session_id: string, more: object = {}) => ({ type: 'session_closed', session_id, ...more });

const idsShownTo = async (peer: Peer) =>
  (await peer.next('session_snapshot')).sessions.map(({ session_id }) => session_id);

test('[CHT-196] forwards close_session unchanged to the proxy of the session, and to no other', async () => {
  const { session_id, person, proxy } = await harness.session();
  const other = await harness.session();
  const request_id = fresh('close');
  person.send(closeOf(session_id, request_id));
  expect(await proxy.next('close_session')).toEqual({
    protocol_version: 1,
    ...closeOf(session_id, request_id),
  });
  await other.proxy.settled();
  expect(other.proxy.all('close_session')).toEqual([]);
});

test('[CHT-197] refuses a session that the relay does not have', async () => {
  const person = await harness.connect('person');
  person.send(closeOf('nobody', 'r1'));
  expect(await person.next('connection_error')).toMatchObject({
    code: 'session_unknown',
    session_id: 'nobody',
    request_id: 'r1',
  });
});

test('[CHT-197] refuses a session that was closed', async () => {
  const { session_id, person, proxy } = await harness.session();
  proxy.send(closed(session_id));
  await person.next('session_closed');
  person.send(closeOf(session_id, 'r1'));
  expect(await person.next('connection_error')).toMatchObject({ code: 'session_unknown', session_id });
});

test('[CHT-198] refuses a session whose proxy is away', async () => {
  const { session_id, person, proxy } = await harness.session();
  await proxy.cut();
  await person.next('session_down', { session_id });
  person.send(closeOf(session_id, 'r1'));
  expect(await person.next('connection_error')).toMatchObject({
    code: 'session_not_connected',
    session_id,
    request_id: 'r1',
  });
});

test('[CHT-199] session_closed goes to everyone, with the request_id of the close', async () => {
  const { session_id, person, proxy } = await harness.session();
  const other = await harness.connect('owner');
  const request_id = fresh('close');
  person.send(closeOf(session_id, request_id));
  await proxy.next('close_session');
  proxy.send(closed(session_id, { request_id, reason: 'user_requested' }));
  for (const peer of [person, other]) {
    expect(await peer.next('session_closed')).toMatchObject({
      session_id,
      request_id,
      reason: 'user_requested',
    });
  }
});

test('[CHT-199] adds the request_id when the proxy leaves it out', async () => {
  const { session_id, person, proxy } = await harness.session();
  const request_id = fresh('close');
  person.send(closeOf(session_id, request_id));
  await proxy.next('close_session');
  proxy.send(closed(session_id));
  expect(await person.next('session_closed')).toMatchObject({ request_id });
});

test('[CHT-199] has no request_id when the proxy closed the session itself', async () => {
  const { session_id, person, proxy } = await harness.session();
  proxy.send(closed(session_id, { reason: 'target_closed' }));
  const frame = await person.next('session_closed');
  expect(frame).toMatchObject({ reason: 'target_closed' });
  expect(frame).not.toHaveProperty('request_id');
});

test('[CHT-200] a closed session is in no snapshot, also after a restart', async () => {
  const { session_id, person, proxy } = await harness.session();
  proxy.send(closed(session_id));
  await person.next('session_closed');
  expect(await idsShownTo(await harness.connect('person'))).not.toContain(session_id);
  await harness.restart();
  expect(await idsShownTo(await harness.connect('person'))).not.toContain(session_id);
});

test('[CHT-201] keeps the history of a closed session, also after a restart', async () => {
  const { session_id, person, proxy } = await harness.session();
  proxy.send(contentOf(session_id, 'Goodbye.'));
  proxy.send(closed(session_id));
  await person.next('session_closed');
  const contents = async (peer: Peer) => {
    peer.send(historyOf(session_id));
    return (await peer.next('history_snapshot')).messages.map(({ content }) => content);
  };
  expect(await contents(person)).toEqual(['Goodbye.']);
  await harness.restart();
  expect(await contents(await harness.connect('person'))).toEqual(['Goodbye.']);
});

test('[CHT-202] fails the queued sends of a closed session', async () => {
  const openSession = await harness.session();
  const { session_id, person, proxy } = openSession;
  await proxy.cut();
  await person.next('session_down', { session_id });
  person.send(sendOf(session_id, 'c1'));
  await person.next('message_accepted');
  const back = await harness.connect(proxy.device ?? 'proxy');
  back.send(closed(session_id));
  await person.next('session_closed');
  expect(await person.next('message_failed')).toMatchObject({
    client_message_id: 'c1',
    error: { code: 'session_not_connected' },
  });
  await back.settled();
  expect(back.all('send_message')).toEqual([]);
});

test('[CHT-202] expires the open prompts of a closed session, with no choice applied', async () => {
  const { session_id, person, proxy } = await harness.session();
  proxy.send(promptOf(session_id, 'p1', { timeout_ms: 60_000, default_choice: 'no' }));
  await person.next('permission_prompt');
  proxy.send(closed(session_id));
  const expired = await person.next('permission_prompt_expired');
  expect(expired).toMatchObject({ session_id, prompt_id: 'p1' });
  expect(expired).not.toHaveProperty('applied_choice');
  await proxy.settled();
  expect(proxy.all('permission_response')).toEqual([]);
  const [ack] = (await harness.connect('person')).all('connection_ack');
  expect(ack?.open_prompts?.filter((each) => each.session_id === session_id)).toEqual([]);
});

test('[CHT-118] a session that is announced again after its close is up again', async () => {
  const openSession = await harness.session();
  const { session_id, person, proxy } = openSession;
  proxy.send(closed(session_id));
  await person.next('session_closed');
  proxy.send({
    type: 'proxy_session_snapshot',
    sessions: [{ session_id, agent_type: 'codex', status: 'healthy' }],
  });
  await person.next('session_up', { session: { session_id } });
  await marked(openSession);
  expect(typesAbout(person, session_id)).toEqual(['session_up', 'session_closed', 'session_up']);
});
