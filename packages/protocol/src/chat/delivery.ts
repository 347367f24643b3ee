import { type Static, Type } from 'typebox';
import { AnyObject, Count, Id, Label, Timestamp } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';
import { ChatError, event, frame } from './envelope.ts';

const Attachment = Type.Object({
  attachment_id: Id,
  name: Type.Optional(Label),
  kind: Type.Optional(Id),
});

export const Attachments = Type.Array(Attachment, { maxItems: LIMITS.attachments.value });

/** `attempt` is ours: the relay numbers its attempts, and the proxy's answer echoes the number. */
export const Attempt = Type.Integer({ minimum: 1 });

/** CHT-313: kept and passed on as it came, whatever its types are. */
const ContentBlocks = Type.Unknown();

export const SendMessage = frame('send_message', {
  client_message_id: Id,
  session_id: Id,
  created_at: Timestamp,
  content: Type.Optional(Type.String()),
  attachments: Type.Optional(Attachments),
  content_blocks: Type.Optional(ContentBlocks),
  queue: Type.Optional(Type.Boolean()),
  attempt: Type.Optional(Attempt),
});

const sent = { session_id: Id, message_id: Id, client_message_id: Id };

export const MessageAccepted = event('message_accepted', {
  ...sent,
  status: Type.Literal('accepted'),
  accepted_at: Timestamp,
  replayed: Type.Optional(Type.Boolean()),
});

export const MessageDelivered = event('message_delivered', {
  ...sent,
  status: Type.Literal('delivered'),
  delivered_at: Timestamp,
});

export const MessageFailed = event('message_failed', {
  ...sent,
  status: Type.Literal('failed'),
  failed_at: Timestamp,
  error: ChatError,
  indeterminate: Type.Optional(Type.Boolean()),
});

const transcript = {
  role: Id,
  content: Type.String(),
  created_at: Timestamp,
  attachments: Type.Optional(Attachments),
  metadata: Type.Optional(AnyObject),
  content_blocks: Type.Optional(ContentBlocks),
};

export const TranscriptMessage = Type.Object({
  message_id: Id,
  ...transcript,
  client_message_id: Type.Optional(Id),
  status: Type.Optional(Type.Enum(['queued', 'accepted', 'delivered', 'failed'])),
});

/** A message as observed by a proxy, which may not know a stable id. */
export const ObservedMessage = Type.Object({
  message_id: Type.Optional(Id),
  source_message_id: Type.Optional(Id),
  ...transcript,
});

/** With `offset`, for the feature `continued`: `message.content` continues the text that the browser has there. */
export const MessageEvent = event('message_event', {
  session_id: Id,
  message: TranscriptMessage,
  offset: Type.Optional(Count),
});

export type TranscriptMessage = Static<typeof TranscriptMessage>;
export type ObservedMessage = Static<typeof ObservedMessage>;
