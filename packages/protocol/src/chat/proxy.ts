import { Type } from 'typebox';
import { Id, Timestamp } from '../wire/fields.ts';
import { Attempt, ObservedMessage } from './delivery.ts';
import { ChatError, frame } from './envelope.ts';
import { Activity, Session, SessionHealth } from './session.ts';

export const ProxySessionSnapshot = frame('proxy_session_snapshot', { sessions: Type.Array(Session) });

export const ProxyMessage = frame('proxy_message', { session_id: Id, message: ObservedMessage });

export const ProxySendResult = frame('proxy_send_result', {
  session_id: Id,
  client_message_id: Id,
  result: Type.Enum(['delivered', 'failed', 'launch_accepted']),
  delivered_at: Type.Optional(Timestamp),
  failed_at: Type.Optional(Timestamp),
  error: Type.Optional(ChatError),
  attempt: Type.Optional(Attempt),
});

export const ProxyStatus = frame('proxy_status', {
  session_id: Id,
  status: Type.Optional(SessionHealth),
  activity: Type.Optional(Activity),
});
