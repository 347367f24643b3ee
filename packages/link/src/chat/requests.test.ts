import type { ChatFrame } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { setUpChat } from '../../test/chat/chat-bench.ts';

const frame = { protocol_version: 1 } as const;
const ofSession = { ...frame, session_id: 's' } as const;

async function openChat() {
  const bench = setUpChat();
  const { link, heard } = bench.connect();
  await bench.settle();
  const tell = async (...frames: ChatFrame[]) => {
    for (const each of frames) bench.relay.broadcast(each);
    await bench.settle();
  };
  const sent = (type: ChatFrame['type']) => bench.relay.received.filter((each) => each.type === type);
  return { ...bench, link, heard, tell, sent };
}

test('matches answers to requests by request_id in any order', async () => {
  const { link, settle, tell, sent } = await openChat();
  const interrupt = link.request({ type: 'agent_interrupt', session_id: 's' });
  const answer = link.request({
    type: 'permission_response',
    session_id: 's',
    prompt_id: 'p',
    choice_id: 'yes',
    request_id: 'mine',
  });
  await settle();
  const { request_id = '' } = sent('agent_interrupt')[0] ?? {};
  expect(sent('permission_response')).toMatchObject([{ request_id: 'mine' }]);
  const result = { type: 'agent_control_result', ...ofSession, result: 'ok' } as const;
  await tell(
    { ...result, request_id: 'of another tab', command: 'agent_interrupt' },
    { ...result, request_id: 'mine', command: 'permission_response' },
    { ...result, request_id, command: 'agent_interrupt' },
  );
  expect(await answer).toMatchObject({ command: 'permission_response' });
  expect(await interrupt).toMatchObject({ command: 'agent_interrupt' });
});

test('rejects with the received code, in whichever frame it came', async () => {
  const { link, tell } = await openChat();
  const refused = [
    link.request({ type: 'agent_interrupt', session_id: 's', request_id: 'a' }),
    link.request({ type: 'agent_set_model', session_id: 's', model_id: 'm', request_id: 'b' }),
    link.request({ type: 'launch_session', agent_type: 'claude', request_id: 'c' }),
    link.request({ type: 'close_session', session_id: 's', request_id: 'd' }),
    link.request({ type: 'agent_config_request', session_id: 's', request_id: 'e' }),
  ];
  const outcomes = Promise.allSettled(refused);
  const failed = { type: 'agent_control_result', ...ofSession, result: 'failed' } as const;
  const error = { code: 'agent_not_active', message: 'Nothing to stop.' };
  await tell(
    { ...failed, request_id: 'a', command: 'agent_interrupt', error },
    { ...failed, request_id: 'b', command: 'agent_set_model', error_code: 'own_code' },
    {
      type: 'session_launch_failed',
      ...frame,
      request_id: 'c',
      error_code: 'launch_timeout',
      reason: 'Late.',
    },
    { type: 'connection_error', ...ofSession, request_id: 'd', code: 'session_unknown', message: 'No.' },
    {
      ...failed,
      request_id: 'e',
      command: 'agent_config_request',
      error: { ...error, code: 'config_read_failed' },
    },
  );
  expect(await outcomes).toMatchObject(
    ['agent_not_active', 'own_code', 'launch_timeout', 'session_unknown', 'config_read_failed'].map(
      (code) => ({
        status: 'rejected',
        reason: { name: 'ChatRefusal', code },
      }),
    ),
  );
});

test('answers every request about a session with its broadcast', async () => {
  const { link, tell, heard } = await openChat();
  const closed = link.request({ type: 'close_session', session_id: 's' });
  const configs = [1, 2].map(() => link.request({ type: 'agent_config_request', session_id: 's' }));
  const stamp = (sequence: number) => ({ event_id: `e${sequence}`, sequence });
  await tell(
    { type: 'agent_config', ...frame, session_id: 'other', model_id: 'wrong', ...stamp(1) },
    { type: 'agent_config', ...ofSession, model_id: 'm', ...stamp(1) },
    { type: 'session_closed', ...ofSession, request_id: 'of another tab', ...stamp(2) },
  );
  expect(await Promise.all(configs)).toMatchObject([{ model_id: 'm' }, { model_id: 'm' }]);
  expect(await closed).toMatchObject({ type: 'session_closed' });
  expect(heard.events).toHaveLength(3);
});

test('matches a history without request_id by session and position', async () => {
  const { link, tell, pairs } = await openChat();
  pairs[0]?.dropNext('a', 2);
  const delta = link.request({ type: 'history_request', session_id: 's', after_sequence: 4 });
  const snapshot = link.request({ type: 'history_request', session_id: 's' });
  const answer = (at: number): ChatFrame => ({
    type: 'history_delta',
    ...ofSession,
    from_sequence: at,
    last_sequence: at,
    events: [],
  });
  await tell(
    { type: 'history_snapshot', ...ofSession, last_sequence: 4, messages: [] },
    answer(0),
    answer(4),
  );
  expect(await snapshot).toMatchObject({ type: 'history_snapshot' });
  expect(await delta).toMatchObject({ type: 'history_delta', from_sequence: 4 });
});

test('answers a rejected cursor with the snapshot that follows the error', async () => {
  const { link, tell, pairs, heard } = await openChat();
  pairs[0]?.dropNext('a', 1);
  const answer = link.request({
    type: 'history_request',
    session_id: 's',
    after_sequence: 99,
    request_id: 'r',
  });
  await tell(
    {
      type: 'connection_error',
      ...ofSession,
      request_id: 'r',
      code: 'resume_cursor_invalid',
      message: 'No.',
    },
    { type: 'history_snapshot', ...ofSession, request_id: 'r', last_sequence: 4, messages: [] },
  );
  expect(await answer).toMatchObject({ type: 'history_snapshot' });
  expect(heard.resumed).toEqual([]);
});

test('rejects when no answer comes in time', async () => {
  const { link, pass, fake } = await openChat();
  const late = expect(
    link.request({ type: 'agent_interrupt', session_id: 's' }, { timeoutMs: 1_000 }),
  ).rejects.toMatchObject({
    code: 'transport_failed',
    evidence: { reason: 'request_timeout', timeout_ms: 1_000 },
  });
  await pass(1_000);
  await late;
  expect(fake.pending()).toBe(1);
});

test('refuses an invalid request before sending it', async () => {
  const { link, sent } = await openChat();
  await expect(link.request({ type: 'launch_session', agent_type: 'no such; name' })).rejects.toMatchObject({
    code: 'invalid_message',
  });
  expect(sent('launch_session')).toEqual([]);
});

test('fails a request that must not repeat when the link breaks, or at once when not open', async () => {
  const { link, settle, pairs, reconnect, sent } = await openChat();
  const broken = expect(link.request({ type: 'agent_interrupt', session_id: 's' })).rejects.toMatchObject({
    code: 'transport_failed',
    evidence: { reason: 'link_broken' },
  });
  await settle();
  pairs[0]?.cut();
  await settle();
  await broken;
  await expect(link.request({ type: 'close_session', session_id: 's' })).rejects.toMatchObject({
    evidence: { reason: 'not_sent' },
  });
  await reconnect();
  expect(sent('agent_interrupt')).toHaveLength(1);
  expect(sent('close_session')).toEqual([]);
});

test('queues a repeatable request, and repeats it after a break', async () => {
  const { link, settle, pairs, reconnect, relay, sent } = await openChat();
  relay.appendMessage('s', 'one');
  pairs[0]?.dropNext('b', 10);
  const asked = link.request({ type: 'history_request', session_id: 's', after_sequence: 0 });
  await settle();
  pairs[0]?.cut();
  await settle();
  const waited = link.request({ type: 'history_request', session_id: 's' });
  await reconnect();
  expect(await asked).toMatchObject({ type: 'history_delta', last_sequence: 1 });
  expect(await waited).toMatchObject({ type: 'history_snapshot', last_sequence: 1 });
  expect(sent('history_request')).toHaveLength(3);
});

const launch = { type: 'launch_session', agent_type: 'claude', request_id: 'l1' } as const;

test('[CHT-194] repeats a launch that may not have arrived with the same request_id', async () => {
  const { link, settle, pairs, reconnect, relay, tell, sent } = await openChat();
  pairs[0]?.dropNext('a', 1);
  const launched = link.request(launch);
  await settle();
  expect(relay.launched).toEqual([]);
  await reconnect();
  expect(relay.launched).toEqual(['l1']);
  await tell({ type: 'session_launch_ack', ...ofSession, request_id: 'l1' });
  expect(await launched).toMatchObject({ session_id: 's' });
  expect(sent('launch_session')).toHaveLength(1);
});

test('[CHT-190] [CHT-194] prefers a held outcome to repeating the launch', async () => {
  const { link, settle, pairs, reconnect, relay, sent } = await openChat();
  pairs[0]?.dropNext('b', 1);
  const launched = link.request(launch);
  await settle();
  const greeted = relay.hellos.length;
  const watch = link.onState(({ kind }) => {
    if (kind === 'open' && relay.hellos.length > greeted) {
      relay.broadcast({ type: 'session_launch_ack', ...ofSession, request_id: 'l1' });
    }
  });
  await reconnect();
  watch();
  expect(await launched).toMatchObject({ session_id: 's' });
  expect(sent('launch_session')).toHaveLength(1);
});

test('does not repeat a launch whose outcome is lost, which could start a second agent', async () => {
  const { link, settle, reconnect, heard, sent } = await openChat();
  const launched = expect(link.request(launch)).rejects.toMatchObject({
    evidence: { reason: 'outcome_unknown' },
  });
  await settle();
  expect(heard.frames).toContainEqual(
    expect.objectContaining({ type: 'session_launching', request_id: 'l1' }),
  );
  await reconnect();
  await launched;
  expect(sent('launch_session')).toHaveLength(1);
});

test('[CHT-194] keeps a launch over heartbeats, and over a break while the relay has it pending', async () => {
  const { link, settle, pass, pairs, dials, sent } = await openChat();
  const launched = link.request(launch);
  await settle();
  await pass(12_000);
  dials.answered = false;
  pairs[0]?.cut();
  await settle();
  await pass(500);
  const peer = pairs[1]?.b;
  const at = '2026-03-19T10:15:30.000Z';
  const say = (message: ChatFrame) => peer?.send(JSON.stringify(message));
  peer?.onMessage((text) => {
    if (JSON.parse(text).type === 'heartbeat') say({ type: 'heartbeat_ack', ...frame });
  });
  say({
    type: 'connection_ack',
    ...frame,
    connection_id: 'c2',
    server_ts: at,
    heartbeat_interval_ms: 10_000,
    heartbeat_timeout_ms: 30_000,
    pending_launches: [{ request_id: 'l1', agent_type: 'claude', launched_at: at, timeout_at: at }],
  });
  await settle();
  await pass(12_000);
  say({ type: 'session_launch_ack', ...ofSession, request_id: 'l1' });
  await settle();
  expect(await launched).toMatchObject({ session_id: 's' });
  expect(sent('launch_session')).toHaveLength(1);
});
