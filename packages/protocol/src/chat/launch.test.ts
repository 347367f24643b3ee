import { expect, test } from 'vitest';
import { frameRequires } from '../../test/chat/frame.ts';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { fieldTakes, refusal, without } from '../../test/wire/parse.ts';
import { id, label, openWords } from '../../test/wire/values.ts';
import { chat } from './protocol.ts';

const {
  launch_session,
  session_launching,
  session_launch_ack,
  session_launch_failed,
  close_session,
  session_closed,
} = CHAT_SAMPLES;

test('[CHT-60] launch_session requires request_id and agent_type', () => {
  frameRequires(launch_session, ['request_id', 'agent_type']);
  fieldTakes(chat, launch_session, 'workspace_path', label);
  fieldTakes(chat, launch_session, 'window_title', label);
});

test.each([
  ['launch_session', launch_session],
  ['session_launching', session_launching],
  ['session_launch_ack', session_launch_ack],
  ['session_launch_failed', session_launch_failed],
])('[CHT-61] the agent_type of %s is any safe identifier', (_type, sample) => {
  fieldTakes(chat, sample, 'agent_type', {
    good: ['claude', 'codex', 'gemini', 'opencode', 'my_agent-2', 'acme.agents.Fast', 'x'.repeat(256)],
    bad: [
      '',
      '2fast',
      '-x',
      'a b',
      'a..b',
      '.a',
      'a.',
      'a.2',
      'rm;ls',
      '../x',
      'åse',
      'a\n',
      7,
      null,
      'x'.repeat(257),
    ],
  });
});

test('[CHT-62] launch_session may name a machine, and its path has no control character', () => {
  fieldTakes(chat, launch_session, 'machine_label', label);
  fieldTakes(chat, launch_session, 'workspace_path', {
    good: ['C:\\work\\bridge', '/home/ada/my work', '/home/åse/日本'],
    bad: ['/home\n/ada', '/home\r', '\u0000', '/a\tb', '/a\u001b[2J', '/a\u007f', '/a\u0085'],
  });
});

test('[CHT-63] session_launching requires request_id and agent_type', () => {
  frameRequires(session_launching, ['request_id', 'agent_type']);
});

test('[CHT-64] session_launch_ack requires request_id and session_id', () => {
  frameRequires(session_launch_ack, ['request_id', 'session_id']);
});

test('[CHT-65] session_launch_failed requires request_id, error_code and reason', () => {
  frameRequires(session_launch_failed, ['request_id', 'error_code', 'reason']);
  fieldTakes(chat, session_launch_failed, 'error_code', id);
  fieldTakes(chat, session_launch_failed, 'reason', label);
});

test('[CHT-66] close_session requires request_id and session_id', () => {
  frameRequires(close_session, ['request_id', 'session_id']);
});

test('[CHT-67] session_closed requires session_id and may have one of three reasons', () => {
  frameRequires(session_closed, ['session_id']);
  fieldTakes(chat, session_closed, 'reason', openWords('user_requested', 'target_closed', 'proxy_shutdown'));
  expect(refusal(chat, without(session_closed, 'session_id')).code).toBe('invalid_message');
});
