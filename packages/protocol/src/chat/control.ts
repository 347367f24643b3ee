import { type Static, Type } from 'typebox';
import { AnyObject, Id, Label, Milliseconds, Timestamp } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';
import { ChatError, frame, stampable } from './envelope.ts';

const Choice = Type.Object({
  choice_id: Id,
  label: Label,
  is_default: Type.Boolean(),
  /** Ours: the effect of the choice, so that a timeout can only deny. */
  effect: Type.Optional(Type.Enum(['allow', 'deny'])),
});

const prompt = {
  session_id: Id,
  prompt_id: Id,
  prompt_text: Type.String(),
  choices: Type.Array(Choice, { minItems: 1, maxItems: LIMITS.choices.value }),
  timeout_ms: Type.Optional(Milliseconds),
  default_choice: Type.Optional(Id),
  detected_at: Type.Optional(Timestamp),
  expires_at: Type.Optional(Timestamp),
};

export const PermissionPrompt = stampable('permission_prompt', prompt);

/** A prompt as replayed in `connection_ack`. */
export const OpenPrompt = Type.Object(prompt);

export const PermissionResponse = frame('permission_response', {
  session_id: Id,
  prompt_id: Id,
  choice_id: Id,
  detected_at: Type.Optional(Timestamp),
  answered_by: Type.Optional(Label),
  reason: Type.Optional(Label),
});

export const PermissionPromptExpired = stampable('permission_prompt_expired', {
  session_id: Id,
  prompt_id: Id,
  applied_choice: Type.Optional(Id),
});

export const AgentInterrupt = frame('agent_interrupt', {
  request_id: Id,
  session_id: Id,
  session_generation: Type.Optional(Type.Number()),
  turn_generation: Type.Optional(Type.Number()),
});

export const AgentConfigRequest = frame('agent_config_request', { session_id: Id });

export const AgentSetModel = frame('agent_set_model', { session_id: Id, model_id: Id });

/** Capabilities of an agent's proxy. An unknown capability may have any value. */
const Capabilities = Type.Object({
  interrupt: Type.Optional(Type.Boolean()),
  set_model: Type.Optional(Type.Boolean()),
  permission_mode_change: Type.Optional(Type.Boolean()),
  permission_dialogs: Type.Optional(Type.Boolean()),
});

/** Ours: a mode for `agent_set_mode`, with its texts for people. */
export const AgentMode = Type.Object({ mode_id: Id, name: Label, description: Type.Optional(Label) });

export const AgentConfigFields = {
  model_id: Id,
  permission_mode: Type.Optional(Type.Enum(['bypassPermissions', 'default', 'ask', 'unknown'])),
  permission_mode_name: Type.Optional(Label),
  file_access_scope: Type.Optional(Type.Enum(['full', 'workspace', 'none', 'unknown'])),
  file_access_scope_name: Type.Optional(Label),
  available_models: Type.Optional(Type.Array(Id)),
  mode_id: Type.Optional(Id),
  available_modes: Type.Optional(Type.Array(AgentMode)),
  capabilities: Type.Optional(Capabilities),
  read_at: Type.Optional(Timestamp),
};

export const AgentConfig = stampable('agent_config', { session_id: Id, ...AgentConfigFields });

export const AgentControlResult = frame('agent_control_result', {
  request_id: Id,
  session_id: Id,
  command: Id,
  result: Type.Enum(['ok', 'failed']),
  error: Type.Optional(ChatError),
  error_code: Type.Optional(Id),
  native_acknowledged: Type.Optional(Type.Boolean()),
  details: Type.Optional(AnyObject),
  replayed: Type.Optional(Type.Boolean()),
});

export type Choice = Static<typeof Choice>;
export type OpenPrompt = Static<typeof OpenPrompt>;
