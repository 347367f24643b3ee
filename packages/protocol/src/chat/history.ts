import { type Static, type TProperties, Type } from 'typebox';
import { Count, Id } from '../wire/fields.ts';
import { AgentConfig, PermissionPrompt, PermissionPromptExpired } from './control.ts';
import {
  MessageAccepted,
  MessageDelivered,
  MessageEvent,
  MessageFailed,
  TranscriptMessage,
} from './delivery.ts';
import { Epoch, frame, Sequence, Version } from './envelope.ts';
import { AgentQuestion, MessageCancelled, MessageEdited, PermissionPromptAnswered } from './features.ts';
import { SessionClosed } from './launch.ts';
import { SessionDown, SessionStatus, SessionUp } from './session.ts';

/** A replayed event: `sequence` is required and the version optional. */
const recorded = <Properties extends TProperties>(schema: Type.TObject<Properties>) =>
  Type.Object({
    ...schema.properties,
    protocol_version: Type.Optional(Version),
    event_id: Id,
    sequence: Sequence,
  });

export const SessionEvent = Type.Union([
  recorded(SessionUp),
  recorded(SessionDown),
  recorded(SessionStatus),
  recorded(SessionClosed),
  recorded(MessageAccepted),
  recorded(MessageDelivered),
  recorded(MessageFailed),
  recorded(MessageEvent),
  recorded(MessageCancelled),
  recorded(MessageEdited),
  recorded(PermissionPrompt),
  recorded(PermissionPromptExpired),
  recorded(PermissionPromptAnswered),
  recorded(AgentQuestion),
  recorded(AgentConfig),
]);

export const HistoryRequest = frame('history_request', {
  session_id: Id,
  after_sequence: Type.Optional(Sequence),
  before_sequence: Type.Optional(Sequence),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  full: Type.Optional(Type.Boolean()),
  epoch: Type.Optional(Epoch),
});

export const HistorySnapshot = frame('history_snapshot', {
  session_id: Id,
  last_sequence: Sequence,
  messages: Type.Array(TranscriptMessage),
  /** CHT-270: present when there are older messages; request them with it. */
  before_sequence: Type.Optional(Sequence),
  /** True when the session has older messages. */
  partial: Type.Optional(Type.Boolean()),
  total_messages: Type.Optional(Count),
  loaded_messages: Type.Optional(Count),
  epoch: Type.Optional(Epoch),
});

export const HistoryDelta = frame('history_delta', {
  session_id: Id,
  from_sequence: Sequence,
  last_sequence: Sequence,
  events: Type.Array(SessionEvent),
  epoch: Type.Optional(Epoch),
});

export type SessionEvent = Static<typeof SessionEvent>;
