import type { Loose } from './peer.ts';

export const AT = '2026-01-01T00:00:00.000Z';

export const sessionObject = (session_id: string, more: Loose = {}) => ({
  session_id,
  agent_type: 'codex',
  status: 'healthy',
  ...more,
});

export const listOf = (...sessions: readonly Loose[]) => ({ type: 'proxy_session_snapshot', sessions });

export const sendOf = (session_id: string, client_message_id: string, more: Loose = {}) => ({
  type: 'send_message',
  session_id,
  client_message_id,
  content: `text of ${client_message_id}`,
  created_at: AT,
  ...more,
});

export const deliveredOf = (session_id: string, client_message_id: string, more: Loose = {}) => ({
  type: 'proxy_send_result',
  session_id,
  client_message_id,
  result: 'delivered',
  ...more,
});

export const failedOf = (session_id: string, client_message_id: string, more: Loose = {}) =>
  deliveredOf(session_id, client_message_id, { result: 'failed', ...more });

export const contentOf = (session_id: string, content: string, more: Loose = {}) => ({
  type: 'proxy_message',
  session_id,
  message: { role: 'assistant', content, created_at: AT, ...more },
});

export const statusOf = (session_id: string, more: Loose) => ({ type: 'proxy_status', session_id, ...more });

export const historyOf = (session_id: string, more: Loose = {}) => ({
  type: 'history_request',
  session_id,
  ...more,
});

export const launchOf = (request_id: string, more: Loose = {}) => ({
  type: 'launch_session',
  request_id,
  agent_type: 'claude',
  ...more,
});

export const closeOf = (session_id: string, request_id: string) => ({
  type: 'close_session',
  session_id,
  request_id,
});

const CHOICES = [
  { choice_id: 'yes', label: 'Yes', is_default: false },
  { choice_id: 'no', label: 'No', is_default: true },
];

export const promptOf = (session_id: string, prompt_id: string, more: Loose = {}) => ({
  type: 'permission_prompt',
  session_id,
  prompt_id,
  prompt_text: 'Edit README.md?',
  choices: CHOICES,
  ...more,
});

export const answerOf = (session_id: string, prompt_id: string, more: Loose = {}) => ({
  type: 'permission_response',
  session_id,
  prompt_id,
  choice_id: 'yes',
  ...more,
});

export const resultOf = (session_id: string, request_id: string | undefined, more: Loose = {}) => ({
  type: 'agent_control_result',
  session_id,
  request_id,
  command: 'permission_response',
  result: 'ok',
  ...more,
});

export const configOf = (session_id: string, model_id: string, more: Loose = {}) => ({
  type: 'agent_config',
  session_id,
  model_id,
  ...more,
});

export const interruptOf = (session_id: string, request_id: string) => ({
  type: 'agent_interrupt',
  session_id,
  request_id,
});
