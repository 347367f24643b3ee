import { Type } from 'typebox';
import { Count, Id, Label, MapOf, Milliseconds, Timestamp } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';
import { AgentConfigFields, OpenPrompt } from './control.ts';
import { Epoch, frame, Sequence } from './envelope.ts';

const ResumePoint = Type.Object({ session_id: Id, last_sequence: Sequence });

export const ConnectionHello = frame('connection_hello', {
  peer_role: Type.Enum(['browser', 'proxy']),
  client_name: Id,
  client_version: Type.Optional(Label),
  client_id: Type.Optional(Id),
  machine_label: Type.Optional(Label),
  features: Type.Optional(Type.Array(Id)),
  resume: Type.Optional(
    Type.Object({
      epoch: Type.Optional(Epoch),
      sessions: Type.Array(ResumePoint, { maxItems: LIMITS.resume_sessions.value }),
    }),
  ),
});

const PendingLaunch = Type.Object({
  request_id: Id,
  agent_type: Id,
  launched_at: Timestamp,
  timeout_at: Timestamp,
});

const Resumed = Type.Object({
  session_id: Id,
  result: Type.Enum(['ok', 'gap']),
  last_sequence: Type.Optional(Count),
});

export const ConnectionAck = frame('connection_ack', {
  connection_id: Id,
  server_ts: Timestamp,
  heartbeat_interval_ms: Milliseconds,
  heartbeat_timeout_ms: Milliseconds,
  epoch: Type.Optional(Epoch),
  features: Type.Optional(Type.Array(Id)),
  /** The run of the relay that `state_seq` counts in. */
  state_epoch: Type.Optional(Id),
  pending_launches: Type.Optional(Type.Array(PendingLaunch)),
  session_configs: Type.Optional(MapOf(Type.Object(AgentConfigFields))),
  open_prompts: Type.Optional(Type.Array(OpenPrompt)),
  resumed: Type.Optional(Type.Array(Resumed)),
});

export const ConnectionError = frame('connection_error', {
  code: Id,
  message: Label,
  session_id: Type.Optional(Id),
  client_message_id: Type.Optional(Id),
  retry_after_ms: Type.Optional(Milliseconds),
});

export const Heartbeat = frame('heartbeat', { client_ts: Type.Optional(Timestamp) });

export const HeartbeatAck = frame('heartbeat_ack', {});
