import { type Static, Type } from 'typebox';
import { AnyObject, Count, Id, Label, Timestamp, Url } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';

export const Role = Type.Enum(['user', 'assistant', 'system']);

export const ChatMessage = Type.Object({
  messageId: Id,
  role: Role,
  content: Type.String(),
  timestamp: Timestamp,
  status: Type.Optional(Type.Enum(['success', 'failure', 'pending'])),
  sequenceNumber: Type.Optional(Count),
  actionPayload: Type.Optional(AnyObject),
  actionString: Type.Optional(Type.String()),
  error: Type.Optional(Type.Unknown()),
  domSummary: Type.Optional(Type.String()),
  metadata: Type.Optional(AnyObject),
});

export const TabSession = Type.Object({
  sessionId: Id,
  title: Label,
  domain: Type.Optional(Type.String({ maxLength: LIMITS.domain.value })),
  url: Type.Optional(Url),
  isRenamed: Type.Boolean(),
  tabId: Type.Optional(Type.Integer({ minimum: 1 })),
  metadata: Type.Optional(
    Type.Object({
      initialUrl: Type.Optional(Url),
      initialDomain: Type.Optional(Label),
      initialQuery: Type.Optional(Type.String()),
    }),
  ),
  status: Type.Optional(Type.Enum(['active', 'archived'])),
  messageCount: Type.Optional(Count),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
});

/** Bodies of the session endpoints, and the pushed message. */
export const SESSION_MESSAGES = {
  session_found: Type.Object({ session: Type.Union([TabSession, Type.Null()]) }),
  session_rename: Type.Object({ title: Type.String({ minLength: 1, maxLength: LIMITS.page_title.value }) }),
  session_messages: Type.Object({
    sessionId: Id,
    messages: Type.Array(ChatMessage),
    total: Count,
    sessionExists: Type.Optional(Type.Boolean()),
  }),
  new_message: Type.Object({ type: Type.Literal('new_message'), sessionId: Id, message: ChatMessage }),
} as const;

export type ChatMessage = Static<typeof ChatMessage>;
export type TabSession = Static<typeof TabSession>;
export type SessionFound = Static<typeof SESSION_MESSAGES.session_found>;
export type SessionRename = Static<typeof SESSION_MESSAGES.session_rename>;
export type SessionMessages = Static<typeof SESSION_MESSAGES.session_messages>;
export type NewMessage = Static<typeof SESSION_MESSAGES.new_message>;
