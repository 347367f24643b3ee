import { expect, test } from 'vitest';
import { fresh, useRelay } from '../../test/contract/contract-harness.ts';
import {
  AT,
  configOf,
  contentOf,
  deliveredOf,
  historyOf,
  resultOf,
  sendOf,
  statusOf,
} from '../../test/contract/frames.ts';
import type { Loose, Peer } from '../../test/contract/peer.ts';

const harness = useRelay();

const subscriber = async (session_id: string): Promise<Peer> => {
  const peer = await harness.connect('person');
  peer.send({ type: 'subscribe', request_id: fresh('q'), sessions: [session_id] });
  await peer.next('subscription_ack');
  return peer;
};

test('[CHT-353] [CHT-356] the stages of a send reach newer browsers once, and no other', async () => {
  const { session_id, person, proxy } = await harness.session();
  const newer = await subscriber(session_id);
  person.send(sendOf(session_id, 'c1'));
  await proxy.next('send_message');
  const launched = { ...deliveredOf(session_id, 'c1'), result: 'launch_accepted' };
  for (const frame of [launched, launched]) proxy.send(frame);
  const queue = { type: 'native_queue', session_id, items: [{ text: 'Next.' }] };
  const queued = { type: 'message_queued', session_id, client_message_id: 'c1', content: 'Next.' };
  for (const frame of [queued, queue, queue]) proxy.send(frame);
  proxy.send(deliveredOf(session_id, 'c1'));
  const started = { type: 'agent_started', session_id, client_message_id: 'c1', started_at: AT };
  for (const frame of [started, started]) proxy.send(frame);
  await proxy.settled();
  await newer.next('agent_started', { started_at: AT });
  await newer.settled();
  expect(newer.all('proxy_send_result')).toMatchObject([
    { client_message_id: 'c1', result: 'launch_accepted' },
  ]);
  expect(newer.all('message_queued')).toMatchObject([{ content: 'Next.' }]);
  expect(newer.all('native_queue')).toHaveLength(2);
  expect(newer.all('agent_started')).toHaveLength(1);
  await person.next('message_delivered');
  await person.settled();
  for (const type of ['proxy_send_result', 'message_queued', 'native_queue', 'agent_started'] as const)
    expect(person.all(type)).toEqual([]);
});

test('[CHT-356] the relay reports the start of work for a proxy that does not', async () => {
  const { session_id, person, proxy } = await harness.session();
  const newer = await subscriber(session_id);
  person.send(sendOf(session_id, 'c1'));
  await proxy.next('send_message');
  proxy.send(deliveredOf(session_id, 'c1'));
  await newer.next('message_delivered');
  proxy.send(statusOf(session_id, { activity: { kind: 'generating' } }));
  expect(await newer.next('agent_started')).toMatchObject({
    ...{ session_id, client_message_id: 'c1', activity: { kind: 'generating' } },
    started_at: expect.any(String),
  });
});

test('[CHT-357] a snapshot of a proxy adds what is missing, and newer browsers are asked to read again', async () => {
  const { session_id, person, proxy } = await harness.session();
  const newer = await subscriber(session_id);
  const row = (number: number, more: Loose = {}) => ({
    ...{ role: 'assistant', content: `Row ${number}.`, created_at: AT, source_message_id: `row-${number}` },
    ...more,
  });
  proxy.send({ type: 'proxy_message', session_id, message: row(1) });
  proxy.send({
    ...{ type: 'history_snapshot', session_id, resync_reason: 'rotated', source: 'log' },
    messages: [row(1), row(2)],
  });
  expect(await newer.next('transcript_resync_required')).toMatchObject({ reason: 'rotated', source: 'log' });
  person.send(historyOf(session_id));
  const { messages } = await person.next('history_snapshot');
  expect(messages.map(({ content }) => content)).toEqual(['Row 1.', 'Row 2.']);
  const at = (message_index: number) => ({ source_cursor: { generation: 1, message_index } });
  for (const index of [3, 4, 7])
    proxy.send({ type: 'proxy_message', session_id, message: row(index, at(index)) });
  expect(await newer.next('transcript_resync_required', { reason: 'cursor_gap' })).toMatchObject({
    ...{ expected_message_index: 5, received_message_index: 7 },
  });
  // An edit of an earlier message leaves no gap, and another proxy reports none.
  proxy.send({ type: 'proxy_message', session_id, message: row(4, { ...at(4), content: 'Row 4, edited.' }) });
  proxy.send({ type: 'proxy_message', session_id, message: row(8, at(8)) });
  const { proxy: other } = await harness.session();
  other.send({ type: 'proxy_message', session_id, message: row(20, at(20)) });
  await other.next('connection_error');
  await proxy.settled();
  await newer.settled();
  expect(newer.all('transcript_resync_required')).toHaveLength(2);
  await person.settled();
  expect(person.all('transcript_resync_required')).toEqual([]);
});

test('[CHT-358] a message that grows comes as message_delta to browsers that know deltas alone', async () => {
  const { session_id, person, proxy } = await harness.session();
  const newer = await harness.connect('person', { features: ['deltas'] });
  const both = await harness.connect('person', { features: ['deltas', 'appends'] });
  const grow = (content: string) => proxy.send(contentOf(session_id, content, { message_id: 'm1' }));
  grow('Hel');
  await newer.next('message_event', { message: { content: 'Hel' } });
  grow('Hello');
  const place = { message_id: 'm1', block_index: 0 };
  expect(await newer.next('message_delta')).toMatchObject({ ...place, seq: 0, op: 'block_open' });
  expect(await newer.next('message_delta', { seq: 1 })).toMatchObject({
    ...place,
    op: 'append',
    append: 'lo',
  });
  await both.next('message_append', { text: 'lo' });
  grow('Hello, you');
  proxy.send(statusOf(session_id, { activity: { kind: 'idle' } }));
  await newer.next('message_event', { message: { content: 'Hello, you' } });
  expect(newer.all('message_delta').at(-1)).toMatchObject({ ...place, op: 'block_close' });
  expect([...person.all('message_delta'), ...both.all('message_delta')]).toEqual([]);
});

test('[CHT-323] a proxy that is back opens its block again', async () => {
  const { proxy, ...fixture } = await harness.session();
  const { session_id } = fixture;
  const newer = await subscriber(session_id);
  const delta = (peer: Peer, seq: number, op: string, append?: string) =>
    peer.send({ type: 'message_delta', session_id, message_id: 't', block_index: 0, seq, op, append });
  delta(proxy, 0, 'block_open');
  delta(proxy, 1, 'append', 'Hel');
  await newer.next('message_delta', { seq: 1 });
  await proxy.cut();
  const back = await harness.comeBack({ ...fixture, proxy });
  delta(back, 0, 'block_open');
  delta(back, 1, 'append', 'Hello');
  await newer.next('message_delta', { append: 'Hello' });
});

test('[CHT-359] [CHT-371] a goal is paused with a receipt, only where the agent can, and every screen knows', async () => {
  const { session_id, person, proxy } = await harness.session();
  const other = await harness.connect('person');
  const work = { kind: 'generating', goal: { objective: 'Ship it' } };
  proxy.send(statusOf(session_id, { activity: work }));
  const ask = (request_id: string, action = 'pause') =>
    person.send({ type: 'agent_goal_control', request_id, session_id, action, goal_transition_seq: 3 });
  ask('g1');
  expect(await person.next('agent_control_result', { request_id: 'g1' })).toMatchObject({
    ...{ result: 'failed', command: 'agent_goal_control', error_code: 'control_not_supported' },
  });
  proxy.send(configOf(session_id, 'm1', { capabilities: { goal_pause_resume: true } }));
  await person.next('agent_config');
  ask('g2');
  const asked = await proxy.next('agent_goal_control');
  expect(asked).toMatchObject({ action: 'pause', goal_transition_seq: 3 });
  const receipt = { command: 'agent_goal_control', native_acknowledged: true };
  proxy.send(resultOf(session_id, asked.request_id, receipt));
  expect(await person.next('agent_control_result', { request_id: 'g2' })).toMatchObject({ result: 'ok' });
  const paused = { goal_state: 'paused', goal: work.goal };
  await other.next('session_status', { session_id, activity: { kind: 'generating', ...paused } });
  // An idle agent keeps its goal, and that it is paused.
  proxy.send(statusOf(session_id, { activity: { kind: 'idle' } }));
  await other.next('session_status', { session_id, activity: { kind: 'idle', ...paused } });
  ask('g3', 'resume');
  const again = await proxy.next('agent_goal_control', { action: 'resume' });
  proxy.send(resultOf(session_id, again.request_id, { command: 'agent_goal_control' }));
  expect(await person.next('agent_control_result', { request_id: 'g3' })).toMatchObject({
    ...{ result: 'failed', error_code: 'native_receipt_missing' },
  });
  proxy.send(statusOf(session_id, { activity: { ...work, label: 'Tests' } }));
  await other.next('session_status', { session_id, activity: { label: 'Tests', ...paused } });
  proxy.send(statusOf(session_id, { activity: { kind: 'idle', goal: 'Another' } }));
  const last = await other.next('session_status', { session_id, activity: { goal: 'Another' } });
  expect(last.activity).not.toHaveProperty('goal_state');
});

test('[CHT-360] a frame that is not supported is refused by name, and the connection stays', async () => {
  const { session_id, person, proxy } = await harness.session();
  for (const peer of [person, proxy]) {
    for (const type of ['question_prompt', 'session_error_prompt', 'set_codex_config']) {
      peer.send({ type, request_id: `no_${type}`, session_id });
      expect(await peer.next('connection_error')).toMatchObject({
        code: 'invalid_message',
        message: expect.stringContaining(type),
      });
    }
  }
  person.send(sendOf(session_id, 'm1'));
  expect(await proxy.next('send_message')).toMatchObject({ client_message_id: 'm1' });
});
