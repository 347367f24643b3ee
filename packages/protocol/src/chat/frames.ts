import type { Static } from 'typebox';
import * as connection from './connection.ts';
import * as control from './control.ts';
import * as delivery from './delivery.ts';
import { FEATURE_FRAMES } from './features.ts';
import * as history from './history.ts';
import * as launch from './launch.ts';
import * as proxy from './proxy.ts';
import * as session from './session.ts';

/** Meaning, sender and timing of each frame: docs/spec/chat.md. */
export const CHAT_FRAMES = {
  connection_hello: connection.ConnectionHello,
  connection_ack: connection.ConnectionAck,
  connection_error: connection.ConnectionError,
  heartbeat: connection.Heartbeat,
  heartbeat_ack: connection.HeartbeatAck,
  session_snapshot: session.SessionSnapshot,
  session_up: session.SessionUp,
  session_down: session.SessionDown,
  session_status: session.SessionStatus,
  send_message: delivery.SendMessage,
  message_accepted: delivery.MessageAccepted,
  message_delivered: delivery.MessageDelivered,
  message_failed: delivery.MessageFailed,
  message_event: delivery.MessageEvent,
  history_request: history.HistoryRequest,
  history_snapshot: history.HistorySnapshot,
  history_delta: history.HistoryDelta,
  proxy_session_snapshot: proxy.ProxySessionSnapshot,
  proxy_message: proxy.ProxyMessage,
  proxy_send_result: proxy.ProxySendResult,
  proxy_status: proxy.ProxyStatus,
  launch_session: launch.LaunchSession,
  session_launching: launch.SessionLaunching,
  session_launch_ack: launch.SessionLaunchAck,
  session_launch_failed: launch.SessionLaunchFailed,
  close_session: launch.CloseSession,
  session_closed: launch.SessionClosed,
  permission_prompt: control.PermissionPrompt,
  permission_response: control.PermissionResponse,
  permission_prompt_expired: control.PermissionPromptExpired,
  agent_interrupt: control.AgentInterrupt,
  agent_config_request: control.AgentConfigRequest,
  agent_set_model: control.AgentSetModel,
  agent_config: control.AgentConfig,
  agent_control_result: control.AgentControlResult,
  ...FEATURE_FRAMES,
} as const;

/** Names of earlier clients, and their replacements. */
export const RETIRED_FRAMES = {
  session_list: 'session_snapshot',
  send: 'send_message',
  history: 'history_snapshot or history_delta',
  message: 'message_event, or message_accepted, message_delivered and message_failed',
  status: 'session_status or proxy_status',
} as const satisfies Record<string, string>;

export type ChatFrameType = keyof typeof CHAT_FRAMES;
export type ChatFrame = Static<(typeof CHAT_FRAMES)[ChatFrameType]>;
