import { type Static, Type } from 'typebox';
import { AnyObject, Id, Label, Milliseconds, Timestamp, Url } from '../wire/fields.ts';
import { BRIDGE_FEATURE_ITEMS } from './features.ts';
import { item } from './item.ts';

/** Meaning and timing of each item: docs/spec/bridge.md. */

export * from './features.ts';

export const RuntimeReady = item('runtime_ready', {
  runtime_id: Id,
  url: Url,
  runtime_key: Type.Optional(Id),
  authorization_id: Type.Optional(Id),
  extension_version: Type.Optional(Label),
  manifest: Type.Optional(AnyObject),
  host: Type.Optional(Label),
  title: Type.Optional(Label),
  capabilities: Type.Optional(Type.Array(Id)),
  features: Type.Optional(Type.Array(Id)),
});

export const AttachmentState = Type.Object({ id: Id, state: Id });

export const RuntimeStatus = item('runtime_status', {
  runtime_id: Id,
  url: Type.Optional(Url),
  states: Type.Optional(Type.Array(Id)),
  attachments: Type.Optional(Type.Array(AttachmentState)),
  observed_at: Type.Optional(Timestamp),
});

export const ActionCall = item('action_call', {
  call_id: Id,
  name: Id,
  arguments: AnyObject,
  runtime_id: Type.Optional(Id),
  target_runtime_id: Type.Optional(Id),
  target: Type.Optional(Type.Object({ runtime_id: Type.Optional(Id), runtime_key: Type.Optional(Id) })),
  target_url_contains: Type.Optional(Url),
  target_title_contains: Type.Optional(Label),
  timeout_ms: Type.Optional(Milliseconds),
  client: Type.Optional(Label),
  origins: Type.Optional(Type.Array(Url)),
});

export const ActionCallOutput = item('action_call_output', {
  call_id: Id,
  runtime_id: Id,
  output: Type.Unknown(),
});

export const DomEvent = item('dom_event', {
  event_id: Id,
  runtime_id: Id,
  name: Id,
  payload: Type.Unknown(),
  event: Type.Optional(Id),
  url: Type.Optional(Url),
  previous_call_id: Type.Optional(Id),
  observed_at: Type.Optional(Timestamp),
});

/** The bridge's structured error; any stable code is accepted. */
export const StructuredError = Type.Object({
  code: Id,
  message: Label,
  severity: Type.Optional(Type.Enum(['info', 'minor', 'major', 'critical'])),
  recoverable: Type.Optional(Type.Boolean()),
  evidence: Type.Optional(AnyObject),
});

export const ActionError = item('action_error', {
  error: StructuredError,
  call_id: Type.Optional(Id),
  runtime_id: Type.Optional(Id),
});

export const BRIDGE_ITEMS = {
  runtime_ready: RuntimeReady,
  runtime_status: RuntimeStatus,
  action_call: ActionCall,
  action_call_output: ActionCallOutput,
  dom_event: DomEvent,
  action_error: ActionError,
  ...BRIDGE_FEATURE_ITEMS,
} as const;

export type RuntimeReady = Static<typeof RuntimeReady>;
export type RuntimeStatus = Static<typeof RuntimeStatus>;
export type ActionCall = Static<typeof ActionCall>;
export type ActionCallOutput = Static<typeof ActionCallOutput>;
export type DomEvent = Static<typeof DomEvent>;
export type ActionError = Static<typeof ActionError>;
export type StructuredError = Static<typeof StructuredError>;
export type BridgeItem = Static<(typeof BRIDGE_ITEMS)[keyof typeof BRIDGE_ITEMS]>;
