import { type TSchema, Type } from 'typebox';
import type { FieldNotes } from '../wire/note.ts';
import { AgentConfigFields, AgentMode, OpenPrompt } from './control.ts';
import { Attachments, ObservedMessage, TranscriptMessage } from './delivery.ts';
import { ChatError } from './envelope.ts';
import { Activity, Session } from './session.ts';

/** Objects that several frames share. */
export const CHAT_SHAPES = {
  Session,
  Activity,
  TranscriptMessage,
  ObservedMessage,
  Attachment: Attachments.items,
  OpenPrompt,
  Choice: OpenPrompt.properties.choices.items,
  AgentConfiguration: Type.Object(AgentConfigFields),
  AgentMode,
  ChatError,
} as const satisfies Record<string, TSchema>;

export const CHAT_FIELD_NOTES: FieldNotes = {
  protocol_version: 'any other number is refused with `protocol_version_unsupported`',
  request_id: 'comes back in the answer',
  server_ts: 'on every frame that the relay originates',
  sequence: "its position among the session's events; resume from the last one seen",
  'session_closed.event_id': 'added by the relay',
  'session_closed.sequence': 'added by the relay',
  'permission_prompt.event_id': 'added by the relay',
  'permission_prompt.sequence': 'added by the relay',
  'agent_config.event_id': 'added by the relay',
  'agent_config.sequence': 'added by the relay',
  'agent_question.event_id': 'added by the relay',
  'agent_question.sequence': 'added by the relay',

  peer_role: 'must agree with the credential, which alone decides',
  client_id: 'ours: tells two clients of one device apart',
  'connection_hello.machine_label': 'the name by which a launch selects this proxy',
  'connection_hello.features': 'ours: the frames beyond this protocol that the peer understands',
  'resume.epoch': 'ours: from the last `connection_ack`; absent means the current one',
  'resume.sessions[].last_sequence': 'the last `sequence` that the peer has seen of the session',
  heartbeat_interval_ms: 'how often to send a `heartbeat`',
  heartbeat_timeout_ms: 'idle timeout: the connection ends after this long without any frame',
  'connection_ack.epoch': "ours: the ledger's birth id; a cursor counts only in its own epoch",
  'connection_ack.features': 'ours: the features that the relay speaks',
  pending_launches: 'launches that this browser asked for and that have no outcome yet',
  session_configs: 'by `session_id`: the latest configuration of each',
  open_prompts: 'prompts that nobody has answered',
  resumed: 'ours: `ok` and a `history_delta` follows unasked, or `gap` and a `history_snapshot` does',
  'connection_error.code': 'one of the [error codes](../error-codes.md#chat)',
  'connection_error.session_id': 'from the frame that was refused, where it had one',
  'connection_error.client_message_id': 'from the frame that was refused, where it had one',
  'connection_error.retry_after_ms':
    'temporary: send the refused frame again under the same id after this time; without it the refusal is final',

  'session_down.reason': 'such as `proxy_disconnected` or `target_closed`',

  'send_message.client_message_id': 'made by the browser; send again with the same one when no answer comes',
  'send_message.content': 'must not be empty when there are no attachments',
  'send_message.attachments': 'must not be empty when there is no content',
  queue: 'ours: `false` fails at once instead of waiting for a disconnected proxy',
  'send_message.attempt': 'ours: number of the attempt; only from the relay to a proxy',
  'message_accepted.message_id': 'the `client_message_id`',
  indeterminate: 'ours: the proxy disconnected during delivery; ask the person whether to retry',

  after_sequence: 'answered with a `history_delta`; absent, with a `history_snapshot`',
  before_sequence: 'ours: only entries before it',
  limit: 'ours: maximum number of entries',
  'history_request.epoch': 'ours: the epoch of the cursor; absent means the current one',
  'history_snapshot.epoch': 'ours: the epoch of `last_sequence`',
  'history_delta.epoch': 'ours: the epoch of `last_sequence`',
  'history_delta.from_sequence': 'the one that was asked for',
  events:
    'each as in its own section, with `event_id` and `sequence` for certain; `protocol_version` may be absent',

  'proxy_send_result.attempt': 'ours: the `attempt` of the `send_message` that it answers',
  'proxy_status.status': 'this or `activity` is required',

  'launch_session.agent_type': '`claude`, `codex`, `gemini`, or another agent that the proxy knows',
  'launch_session.workspace_path': 'a folder that the proxy knows; no control characters',
  'launch_session.window_title': "a hint for the new session's display name",
  'launch_session.machine_label': 'ours: picks the proxy when several are connected',
  'launch_session.browser': 'ours: the agent may use the lent tabs (CHT-329)',
  'launch_session.browser_origins': 'ours: only tabs at these origins (CHT-334)',
  'session_launching.request_id': 'of the `launch_session`',
  'session_launch_ack.request_id': 'of the `launch_session`',
  'session_launch_failed.request_id': 'of the `launch_session`',
  error_code: 'one of the [error codes](../error-codes.md#chat)',
  'session_launch_failed.reason': 'for a person to read',

  prompt_text: 'the whole text that the dialog shows',
  timeout_ms: 'runs from when the relay got the prompt; absent, the prompt does not expire',
  default_choice: 'the `choice_id` of one of the choices; applied on a timeout only when it denies',
  'permission_response.answered_by': 'ours: the device that answered; only from the relay to a proxy',
  'permission_response.reason': 'ours: why a person denied it, in their words; the agent reads it',
  'permission_response.detected_at': 'ours: repeated from the prompt, to tell it from an earlier one',
  applied_choice: 'the choice applied on a timeout; absent when none was',
  'agent_control_result.request_id': 'of the command',
  command: 'the `type` of the command',
  'agent_control_result.error': 'present when `result` is `failed`',
  'agent_control_result.error_code': 'ours: the code again, for proxies that send it here',
  permission_mode_name: 'ours: the actual name, when `permission_mode` has no word for it',
  mode_id: 'ours: one of the `available_modes`',
  available_modes: 'ours: what `agent_set_mode` can choose',
  capabilities: 'absent means unknown, not `false`',

  form: 'a JSON Schema of the answer',
  values: "matches the question's `form`; present when the answer is `accept`",
  'edit_message.content': 'replaces the old text',
  answered_by: 'the device that answered',
  waiting_events: 'number of unread events',
  'proxy_offer.agents': 'installed on the machine of the proxy',
  'proxy_offer.workspaces': 'folders of the machine, and the git branch of each',

  'Session.session_id': 'durable: stays the same when the proxy comes back',
  'Session.agent_name': 'ours: the actual name, when `agent_type` is `unknown`',
  'Session.target_id': 'changes over time: never use it as an identifier',
  'TranscriptMessage.status': 'ours: of a message that a person sent',
  'TranscriptMessage.client_message_id': 'ours: of a message that a person sent',
  role: 'any word, `user` and `assistant` among them',
  'ObservedMessage.message_id': 'ours: the same id again with other content changes the record',
  effect: 'ours: the effect of the choice',
  'ChatError.code': 'one of the [error codes](../error-codes.md#chat); a proxy may send its own',
};
