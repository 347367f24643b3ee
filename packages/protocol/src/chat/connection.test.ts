import { expect, test } from 'vitest';
import { frameRequires } from '../../test/chat/frame.ts';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { accepted, fieldTakes, put, refusal } from '../../test/wire/parse.ts';
import { id, label, listOf, oneOf, time, wholeFrom } from '../../test/wire/values.ts';
import { chat } from './protocol.ts';

const { connection_hello, connection_ack, connection_error, heartbeat, heartbeat_ack } = CHAT_SAMPLES;

test('[CHT-19] connection_hello requires peer_role and client_name', () => {
  frameRequires(connection_hello, [
    'peer_role',
    'client_name',
    'resume.sessions',
    'resume.sessions[0].session_id',
    'resume.sessions[0].last_sequence',
  ]);
  fieldTakes(chat, connection_hello, 'peer_role', oneOf('browser', 'proxy'));
  fieldTakes(chat, connection_hello, 'client_name', id);
  fieldTakes(chat, connection_hello, 'client_version', label);
  fieldTakes(chat, connection_hello, 'machine_label', label);
  fieldTakes(chat, connection_hello, 'resume', { good: [{ sessions: [] }], bad: ['all', null, [], 7] });
});

test('[CHT-20] an entry of resume.sessions requires session_id and last_sequence', () => {
  const point = { session_id: 'sess_1', last_sequence: 0 };
  fieldTakes(chat, connection_hello, 'resume.sessions', listOf(point));
  const second = (entry: unknown) => put(connection_hello, 'resume.sessions', [point, entry]);
  const wrong = [
    [{ last_sequence: 0 }, 'resume.sessions[1].session_id'],
    [{ session_id: 'sess_1' }, 'resume.sessions[1].last_sequence'],
    [{ session_id: 'sess_1', last_sequence: '0' }, 'resume.sessions[1].last_sequence'],
    ['sess_1', 'resume.sessions[1]'],
  ];
  for (const [entry, path] of wrong)
    expect(refusal(chat, second(entry))).toMatchObject({ code: 'invalid_message', path });
});

test('[CHT-21] resume.sessions has at most 1,000 entries', () => {
  const points = (count: number) => Array(count).fill({ session_id: 'sess_1', last_sequence: 0 });
  fieldTakes(chat, connection_hello, 'resume.sessions', { good: [points(1_000)], bad: [points(1_001)] });
});

test('[CHT-22] connection_hello may carry resume.epoch, features and client_id', () => {
  fieldTakes(chat, connection_hello, 'resume.epoch', id);
  fieldTakes(chat, connection_hello, 'client_id', id);
  fieldTakes(chat, connection_hello, 'features', listOf('queue'));
  fieldTakes(chat, connection_hello, 'features[0]', id);
});

test('[CHT-23] connection_ack requires its ids, its time and both heartbeat times', () => {
  const { type, protocol_version, connection_id, server_ts, heartbeat_interval_ms, heartbeat_timeout_ms } =
    connection_ack;
  const needed = { connection_id, server_ts, heartbeat_interval_ms, heartbeat_timeout_ms };
  frameRequires({ type, protocol_version, ...needed }, Object.keys(needed));
  fieldTakes(chat, connection_ack, 'heartbeat_interval_ms', wholeFrom(0));
  fieldTakes(chat, connection_ack, 'heartbeat_timeout_ms', wholeFrom(0));
});

test('[CHT-24] [CHT-25] [CHT-26] [CHT-27] connection_ack may carry four lists and an epoch, with these parts', () => {
  frameRequires(connection_ack, [
    'connection_id',
    'server_ts',
    'heartbeat_interval_ms',
    'heartbeat_timeout_ms',
    'pending_launches[0].request_id',
    'pending_launches[0].agent_type',
    'pending_launches[0].launched_at',
    'pending_launches[0].timeout_at',
    'session_configs.sess_123.model_id',
    'open_prompts[0].session_id',
    'open_prompts[0].prompt_id',
    'open_prompts[0].prompt_text',
    'open_prompts[0].choices',
    'open_prompts[0].choices[0].choice_id',
    'open_prompts[0].choices[0].label',
    'open_prompts[0].choices[0].is_default',
    'open_prompts[0].choices[1].choice_id',
    'open_prompts[0].choices[1].label',
    'open_prompts[0].choices[1].is_default',
    'resumed[0].session_id',
    'resumed[0].result',
  ]);
});

test('[CHT-24] pending_launches is a list', () => {
  const [launch] = connection_ack.pending_launches ?? [];
  fieldTakes(chat, connection_ack, 'pending_launches', listOf(launch));
});

test('[CHT-25] open_prompts is a list of prompts that may expire', () => {
  const [prompt] = connection_ack.open_prompts ?? [];
  fieldTakes(chat, connection_ack, 'open_prompts', listOf(prompt));
  fieldTakes(chat, connection_ack, 'open_prompts[0].expires_at', time);
  fieldTakes(chat, connection_ack, 'open_prompts[0].choices', { good: [], bad: [[], 'yes', null] });
});

test('[CHT-26] session_configs maps a session to the fields of agent_config', () => {
  const config = { model_id: 'unknown' };
  fieldTakes(chat, connection_ack, 'session_configs', {
    good: [{}, { sess_1: config, 42: config }],
    bad: [[config], 'none', null],
  });
  const one = (field: object) => put(connection_ack, 'session_configs', { 42: { ...config, ...field } });
  expect(accepted(chat, one({ file_access_scope: 'none' }))).toMatchObject({ type: 'connection_ack' });
  expect(refusal(chat, one({ file_access_scope: 'some' }))).toMatchObject({
    code: 'invalid_message',
    path: 'session_configs.42.file_access_scope',
  });
  expect(refusal(chat, put(connection_ack, 'session_configs', { sess_1: {} }))).toMatchObject({
    path: 'session_configs.sess_1.model_id',
  });
});

test('[CHT-27] connection_ack may have its epoch, and ok or gap for each resumed session', () => {
  fieldTakes(chat, connection_ack, 'epoch', id);
  fieldTakes(chat, connection_ack, 'resumed', listOf({ session_id: 'sess_1', result: 'gap' }));
  fieldTakes(chat, connection_ack, 'resumed[0].result', oneOf('ok', 'gap'));
});

test('[CHT-28] connection_error requires code and message', () => {
  frameRequires(connection_error, ['code', 'message']);
  fieldTakes(chat, connection_error, 'code', id);
  fieldTakes(chat, connection_error, 'message', label);
  fieldTakes(chat, connection_error, 'retry_after_ms', wholeFrom(0));
});

test('[CHT-29] heartbeat may carry client_ts, and both heartbeat frames may be bare', () => {
  frameRequires(heartbeat, []);
  frameRequires(heartbeat_ack, []);
  fieldTakes(chat, heartbeat, 'client_ts', time);
  for (const sample of [heartbeat, heartbeat_ack]) {
    fieldTakes(chat, sample, 'request_id', id);
    fieldTakes(chat, sample, 'connection_id', id);
  }
});
