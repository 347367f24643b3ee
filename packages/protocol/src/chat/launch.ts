import { Type } from 'typebox';
import { Id, Label, SafeId } from '../wire/fields.ts';
import { frame, stampable } from './envelope.ts';

const Origin = Type.String({ pattern: '^https?://[^/?#\\s@]+$', maxLength: 300 });

export const LaunchSession = frame('launch_session', {
  request_id: Id,
  agent_type: SafeId,
  workspace_path: Type.Optional(Label),
  window_title: Type.Optional(Label),
  machine_label: Type.Optional(Label),
  browser: Type.Optional(Type.Boolean()),
  browser_origins: Type.Optional(Type.Array(Origin, { minItems: 1, maxItems: 50 })),
});

export const SessionLaunching = frame('session_launching', { request_id: Id, agent_type: SafeId });

export const SessionLaunchAck = frame('session_launch_ack', {
  request_id: Id,
  session_id: Id,
  agent_type: Type.Optional(SafeId),
});

export const SessionLaunchFailed = frame('session_launch_failed', {
  request_id: Id,
  error_code: Id,
  reason: Label,
  agent_type: Type.Optional(SafeId),
});

export const CloseSession = frame('close_session', { request_id: Id, session_id: Id });

export const SessionClosed = stampable('session_closed', {
  session_id: Id,
  reason: Type.Optional(Type.Enum(['user_requested', 'target_closed', 'proxy_shutdown'])),
  reason_name: Type.Optional(Id),
});
