import { expect, test } from 'vitest';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { put, refusal } from '../../test/wire/parse.ts';
import { chat } from './protocol.ts';

/** As a proxy of a newer version sends it. */
const NEWER = {
  type: 'proxy_session_snapshot',
  protocol_version: 1,
  sessions: [
    { session_id: 's1', agent_type: 'claude', status: 'healthy' },
    {
      session_id: 's2',
      agent_type: 'cursor',
      status: 'healthy',
      host_type: 'vscode',
      activity: { kind: 'working', started_at: '2026-07-12T10:00:00Z', goal: 'Tests' },
    },
    { session_id: 's3', agent_type: 'claude-desktop', agent_name: 'Claude', status: 'healthy' },
  ],
};

test('[CHT-309] [CHT-310] an unknown word loses neither its session nor the others', () => {
  expect(chat.parse(JSON.stringify(NEWER))).toMatchObject({
    sessions: [
      { session_id: 's1', agent_type: 'claude' },
      {
        ...{ session_id: 's2', agent_type: 'unknown', agent_name: 'cursor', host_type: 'vscode' },
        activity: { kind: 'thinking', kind_name: 'working', label: 'working', goal: 'Tests' },
      },
      { session_id: 's3', agent_type: 'unknown', agent_name: 'Claude', agent_type_name: 'claude-desktop' },
    ],
  });
  const [claude] = NEWER.sessions;
  expect(chat.read(put(NEWER, 'sessions', [claude]))).toEqual(put(NEWER, 'sessions', [claude]));
});

test('[CHT-310] a status with an unknown activity keeps its label', () => {
  const status = { type: 'proxy_status', protocol_version: 1, session_id: 's1' };
  const activity = { kind: 'working', label: 'Running tests' };
  expect(chat.read({ ...status, activity })).toMatchObject({
    activity: { kind: 'thinking', kind_name: 'working', label: 'Running tests' },
  });
});

test('[CHT-311] unknown words of a configuration and of an end are kept beside', () => {
  const config = { type: 'agent_config', protocol_version: 1, session_id: 's1', model_id: 'm1' };
  expect(
    chat.read({ ...config, permission_mode: 'acceptEdits', file_access_scope: 'sandbox' }),
  ).toMatchObject({
    permission_mode: 'unknown',
    permission_mode_name: 'acceptEdits',
    file_access_scope: 'unknown',
    file_access_scope_name: 'sandbox',
  });
  const closed = chat.read({ ...CHAT_SAMPLES.session_closed, reason: 'crashed' });
  expect(closed).toMatchObject({ type: 'session_closed', reason_name: 'crashed' });
  expect(closed).not.toHaveProperty('reason');
});

test('[CHT-309] words in replayed events are read too', () => {
  const { session_up, history_delta } = CHAT_SAMPLES;
  const event = put(session_up, 'session.agent_type', 'roo_code');
  expect(chat.read({ ...history_delta, events: [event] })).toMatchObject({
    events: [{ session: { agent_type: 'unknown', agent_name: 'Codex CLI' } }],
  });
});

test('a frame that is wrong otherwise is refused as before', () => {
  const wrong = put(NEWER, 'sessions[2].status', 'dreaming');
  expect(refusal(chat, wrong)).toMatchObject({ code: 'invalid_message', path: 'sessions[2].status' });
});

test('[CHT-320] a subscription of another shape has its own code', () => {
  const subscribe = { type: 'subscribe', protocol_version: 1, request_id: 'q1' };
  for (const sessions of [undefined, 's1', [1], Array(129).fill('s')])
    expect(refusal(chat, { ...subscribe, sessions })).toMatchObject({ code: 'invalid_subscription' });
});
