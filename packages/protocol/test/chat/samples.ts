import type { CHAT_FRAMES } from '../../src/chat/frames.ts';
import type { SamplesOf } from '../wire/samples-of.ts';

/** One valid frame of each type, with every field it may carry. */

const AT = '2026-03-19T10:15:30.000Z';
const LATER = '2026-03-19T10:16:00.250Z';

const frame = { protocol_version: 1, request_id: 'req_1', connection_id: 'conn_1', server_ts: AT } as const;
const event = { ...frame, event_id: 'evt_43', sequence: 43 } as const;
const ofSession = { session_id: 'sess_123' } as const;

const session = {
  session_id: 'sess_123',
  agent_type: 'codex',
  status: 'healthy',
  agent_name: 'Codex CLI',
  display_name: 'Codex',
  window_title: 'bridge',
  workspace_name: 'bridge',
  workspace_path: '/home/ada/bridge',
  machine_label: 'ada-laptop',
  target_signature: 'sig_abc',
  target_id: 'target-7',
  last_seen_at: AT,
  activity: { kind: 'thinking', label: 'Thinking', updated_at: AT },
} as const;

const sent = { ...ofSession, message_id: 'msg_1', client_message_id: 'msg_cli_1' } as const;

const attachments = [{ attachment_id: 'att_1', name: 'shot.png', kind: 'uploaded_file' }];

const observed = {
  message_id: 'msg_2',
  role: 'assistant',
  content: 'I updated the file.',
  created_at: AT,
  attachments,
  metadata: { tool: 'edit' },
};

const fromAPerson = {
  ...observed,
  message_id: 'msg_1',
  role: 'user',
  content: 'Please review this file',
  client_message_id: 'msg_cli_1',
  status: 'delivered' as const,
};

const prompt = {
  ...ofSession,
  prompt_id: 'prompt_1',
  prompt_text: 'Edit relay/index.ts?',
  choices: [
    { choice_id: 'yes', label: 'Yes', is_default: false, effect: 'allow' as const },
    { choice_id: 'no', label: 'No', is_default: true, effect: 'deny' as const },
  ],
  timeout_ms: 30_000,
  default_choice: 'no',
  detected_at: AT,
  expires_at: LATER,
};

const config = {
  model_id: 'claude-opus-4-6',
  permission_mode: 'unknown',
  permission_mode_name: 'plan',
  file_access_scope: 'workspace',
  capabilities: { interrupt: true, set_model: true, permission_mode_change: false, permission_dialogs: true },
  read_at: AT,
} as const;

const available_models = ['claude-opus-4-6', 'claude-haiku-4-5'];

const available_modes = [
  { mode_id: 'ask', name: 'Ask first' },
  { mode_id: 'plan', name: 'Plan only', description: 'Reads, and changes nothing' },
];

const activity = { kind: 'running_command', label: 'npm test', updated_at: AT } as const;

export const CHAT_SAMPLES: SamplesOf<typeof CHAT_FRAMES> = {
  connection_hello: {
    type: 'connection_hello',
    ...frame,
    peer_role: 'browser',
    client_name: 'webui',
    client_version: '0.1.0',
    client_id: 'browser-1',
    machine_label: 'ada-laptop',
    features: ['queue'],
    resume: { epoch: 'epoch_1', sessions: [{ session_id: 'sess_123', last_sequence: 42 }] },
  },
  connection_ack: {
    type: 'connection_ack',
    ...frame,
    heartbeat_interval_ms: 10_000,
    heartbeat_timeout_ms: 30_000,
    epoch: 'epoch_1',
    features: ['queue'],
    pending_launches: [{ request_id: 'launch_1', agent_type: 'claude', launched_at: AT, timeout_at: LATER }],
    session_configs: { sess_123: { ...config, available_models } },
    open_prompts: [prompt],
    resumed: [{ session_id: 'sess_123', result: 'ok', last_sequence: 49 }],
  },
  connection_error: {
    type: 'connection_error',
    ...frame,
    code: 'session_unknown',
    message: 'There is no session sess_9.',
    session_id: 'sess_9',
    client_message_id: 'msg_cli_1',
    retry_after_ms: 1_000,
  },
  heartbeat: { type: 'heartbeat', ...frame, client_ts: AT },
  heartbeat_ack: { type: 'heartbeat_ack', ...frame },
  session_snapshot: { type: 'session_snapshot', ...frame, sessions: [session] },
  session_up: { type: 'session_up', ...event, session },
  session_down: { type: 'session_down', ...event, ...ofSession, reason: 'proxy_disconnected' },
  session_status: { type: 'session_status', ...event, ...ofSession, status: 'degraded', activity },
  send_message: {
    type: 'send_message',
    ...frame,
    client_message_id: 'msg_cli_1',
    ...ofSession,
    created_at: AT,
    content: 'Please review this file',
    attachments,
    queue: true,
    attempt: 1,
  },
  message_accepted: { type: 'message_accepted', ...event, ...sent, status: 'accepted', accepted_at: AT },
  message_delivered: { type: 'message_delivered', ...event, ...sent, status: 'delivered', delivered_at: AT },
  message_failed: {
    type: 'message_failed',
    ...event,
    ...sent,
    status: 'failed',
    failed_at: AT,
    error: { code: 'delivery_unknown', message: 'The proxy went away.' },
    indeterminate: true,
  },
  message_event: { type: 'message_event', ...event, ...ofSession, message: fromAPerson },
  history_request: {
    type: 'history_request',
    ...frame,
    ...ofSession,
    after_sequence: 42,
    before_sequence: 100,
    limit: 50,
    epoch: 'epoch_1',
  },
  history_snapshot: {
    type: 'history_snapshot',
    ...frame,
    ...ofSession,
    last_sequence: 49,
    messages: [fromAPerson],
    epoch: 'epoch_1',
  },
  history_delta: {
    type: 'history_delta',
    ...frame,
    ...ofSession,
    from_sequence: 42,
    last_sequence: 44,
    events: [
      { type: 'session_down', event_id: 'evt_43', sequence: 43, ...ofSession, reason: 'proxy_disconnected' },
      { type: 'message_event', event_id: 'evt_44', sequence: 44, ...ofSession, message: fromAPerson },
    ],
    epoch: 'epoch_1',
  },
  proxy_session_snapshot: { type: 'proxy_session_snapshot', ...frame, sessions: [session] },
  proxy_message: { type: 'proxy_message', ...frame, ...ofSession, message: observed },
  proxy_send_result: {
    type: 'proxy_send_result',
    ...frame,
    ...ofSession,
    client_message_id: 'msg_cli_1',
    result: 'failed',
    delivered_at: AT,
    failed_at: LATER,
    error: { code: 'send_button_not_found', message: 'Could not find the send button' },
    attempt: 2,
  },
  proxy_status: { type: 'proxy_status', ...frame, ...ofSession, status: 'degraded', activity },
  launch_session: {
    type: 'launch_session',
    ...frame,
    agent_type: 'claude',
    workspace_path: '/home/ada/bridge',
    window_title: 'bridge',
    machine_label: 'ada-laptop',
  },
  session_launching: { type: 'session_launching', ...frame, agent_type: 'claude' },
  session_launch_ack: { type: 'session_launch_ack', ...frame, ...ofSession, agent_type: 'claude' },
  session_launch_failed: {
    type: 'session_launch_failed',
    ...frame,
    error_code: 'agent_not_open',
    reason: 'The agent is not running',
    agent_type: 'claude',
  },
  close_session: { type: 'close_session', ...frame, ...ofSession },
  session_closed: { type: 'session_closed', ...event, ...ofSession, reason: 'user_requested' },
  permission_prompt: { type: 'permission_prompt', ...event, ...prompt },
  permission_response: {
    type: 'permission_response',
    ...frame,
    ...ofSession,
    prompt_id: 'prompt_1',
    choice_id: 'yes',
    detected_at: AT,
  },
  permission_prompt_expired: {
    type: 'permission_prompt_expired',
    ...event,
    ...ofSession,
    prompt_id: 'prompt_1',
    applied_choice: 'no',
  },
  agent_interrupt: { type: 'agent_interrupt', ...frame, ...ofSession },
  agent_config_request: { type: 'agent_config_request', ...frame, ...ofSession },
  agent_set_model: { type: 'agent_set_model', ...frame, ...ofSession, model_id: 'claude-opus-4-6' },
  agent_config: {
    type: 'agent_config',
    ...event,
    ...ofSession,
    ...config,
    available_models,
    mode_id: 'plan',
    available_modes,
  },
  agent_control_result: {
    type: 'agent_control_result',
    ...frame,
    ...ofSession,
    command: 'agent_interrupt',
    result: 'failed',
    error: { code: 'agent_not_active', message: 'Nothing is being generated' },
    error_code: 'agent_not_active',
  },
  cancel_message: { type: 'cancel_message', ...frame, ...ofSession, client_message_id: 'msg_cli_1' },
  edit_message: {
    type: 'edit_message',
    ...frame,
    ...ofSession,
    client_message_id: 'msg_cli_1',
    content: 'Please review both files',
  },
  message_cancelled: { type: 'message_cancelled', ...event, ...sent, cancelled_at: AT },
  message_edited: { type: 'message_edited', ...event, ...sent, content: 'Both files', edited_at: AT },
  agent_question: {
    type: 'agent_question',
    ...event,
    ...ofSession,
    question_id: 'q_1',
    text: 'Which branch?',
    form: { type: 'object', properties: { branch: { type: 'string' } } },
    expires_at: LATER,
  },
  agent_answer: {
    type: 'agent_answer',
    ...frame,
    ...ofSession,
    question_id: 'q_1',
    answer: 'accept',
    values: { branch: 'main' },
  },
  agent_set_mode: { type: 'agent_set_mode', ...frame, ...ofSession, mode_id: 'plan' },
  permission_prompt_answered: {
    type: 'permission_prompt_answered',
    ...event,
    ...ofSession,
    prompt_id: 'prompt_1',
    choice_id: 'yes',
    answered_by: "Ada's phone",
    answered_at: AT,
  },
  permission_prompt_withdrawn: {
    type: 'permission_prompt_withdrawn',
    ...frame,
    ...ofSession,
    prompt_id: 'prompt_1',
    detected_at: AT,
  },
  lagging: { type: 'lagging', ...frame, waiting_events: 1_000, message: 'Reads too slowly' },
  reconnect_hint: { type: 'reconnect_hint', ...frame, after_ms: 500, reason: 'The relay restarts' },
  message_append: {
    type: 'message_append',
    ...frame,
    session_id: 'sess_123',
    message_id: 'msg_srv_456',
    offset: 19,
    text: ' All tests pass.',
  },
  proxy_offer: {
    type: 'proxy_offer',
    ...frame,
    agents: [
      {
        agent_type: 'codex',
        display_name: 'Codex',
        version: '1.2.0',
        sign_in: 'needed',
        hint: 'codex login',
      },
    ],
    workspaces: [{ path: '/home/me/web-shop', branch: 'main' }],
  },
};
