import { Type } from 'typebox';
import { AnyObject, Count, Id, Label, Timestamp } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';
import { TranscriptMessage } from './delivery.ts';
import { ChatError, frame, Sequence, stampable } from './envelope.ts';
import { Activity, SessionHealth } from './session.ts';

/** Frames of newer peers of this protocol. A browser gets them after it has sent `subscribe`, or asked. */

const SubscribedSessions = Type.Array(Id, { maxItems: LIMITS.subscribed_sessions.value });

/** `subscriptions`: the sessions that the browser shows; it replaces the earlier list. */
export const Subscribe = frame('subscribe', { sessions: SubscribedSessions });

export const SubscriptionAck = frame('subscription_ack', {
  sessions: SubscribedSessions,
  state_epoch: Id,
});

/** Place of a session's state in the order of one run of the relay: clients drop what is not newer. */
const state = { state_epoch: Id, state_seq: Count };

/** Sent in place of the messages and status of a session that is not subscribed to. */
export const SessionSummary = frame('session_summary', {
  session_id: Id,
  status: SessionHealth,
  activity: Type.Optional(Activity),
  last_snippet: Type.Optional(Type.String()),
  /** In seconds since 1970. */
  last_message_at: Type.Optional(Count),
  unread_delta: Count,
  ...state,
});

/** Changes the browser's copy of a session object. The numbering is that of its `session_up`. */
export const SessionPatch = stampable('session_patch', {
  session_id: Id,
  patch: AnyObject,
  removed_fields: Type.Array(Id),
  ...state,
});

/** `deltas`: a part of a message that is being written. Not stored; the settled message replaces it. */
export const MessageDelta = frame('message_delta', {
  session_id: Id,
  message_id: Id,
  role: Type.Optional(Id),
  block_index: Count,
  block_type: Type.Optional(Id),
  seq: Count,
  op: Type.Enum(['block_open', 'append', 'block_close']),
  append: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.delta.value })),
});

/** `deliveries`: the agent has begun to work on a send. */
export const AgentStarted = frame('agent_started', {
  session_id: Id,
  client_message_id: Id,
  delivered_at: Type.Optional(Timestamp),
  started_at: Type.Optional(Timestamp),
  native_start: Type.Optional(AnyObject),
  activity: Type.Optional(AnyObject),
});

/** `deliveries`: the agent keeps a send in its own queue. */
export const MessageQueued = frame('message_queued', {
  session_id: Id,
  client_message_id: Id,
  content: Type.Optional(Type.String()),
  content_blocks: Type.Optional(Type.Unknown()),
});

/** `deliveries`: the agent's own queue. */
export const NativeQueue = frame('native_queue', {
  session_id: Id,
  items: Type.Optional(Type.Array(AnyObject)),
  content_blocks: Type.Optional(Type.Unknown()),
});

/** `rate_limits`: the agent is near a limit of its provider, or at it. The form of `reset_at` is not given. */
export const RateLimitActive = frame('rate_limit_active', {
  session_id: Id,
  percent_used: Type.Optional(Type.Number()),
  retry_after_hint: Type.Optional(Type.Unknown()),
  hard_limited: Type.Optional(Type.Boolean()),
});

/** `rate_limits`: that limit is over. */
export const RateLimitCleared = frame('rate_limit_cleared', { session_id: Id });

/** `resync`: messages may be missing; the client asks for a tail chunk. */
export const TranscriptResyncRequired = frame('transcript_resync_required', {
  session_id: Id,
  reason: Label,
  source: Type.Optional(Id),
  source_cursor: Type.Optional(AnyObject),
  expected_message_index: Type.Optional(Count),
  received_message_index: Type.Optional(Count),
});

/** `goals`: pauses or resumes the agent's goal. */
export const AgentGoalControl = frame('agent_goal_control', {
  session_id: Id,
  action: Type.Enum(['pause', 'resume']),
  session_generation: Type.Optional(Type.Number()),
  goal_generation: Type.Optional(Type.Number()),
  goal_transition_seq: Type.Optional(Type.Number()),
  goal_fingerprint: Type.Optional(Type.String()),
});

/** `chunks`: a page of a session's conversation. */
export const HistoryChunkRequest = frame('history_chunk_request', {
  request_id: Id,
  session_id: Id,
  mode: Type.Optional(Type.Enum(['tail', 'older', 'around'])),
  source: Type.Optional(Id),
  before_id: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  around_id: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  chunk_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
});

export const HistoryChunk = frame('history_chunk', {
  request_id: Id,
  session_id: Id,
  mode: Type.Enum(['tail', 'older', 'around']),
  source: Id,
  partial: Type.Boolean(),
  complete: Type.Boolean(),
  total_messages: Count,
  loaded_messages: Count,
  last_sequence: Type.Optional(Sequence),
  cursor: Type.Object({ next_before_id: Type.Union([Count, Type.Null()]) }),
  messages: Type.Array(TranscriptMessage),
});

/** `scheduled_sends`: the state of a send that its device has scheduled, for that device alone. */
export const ScheduledSendStatus = frame('scheduled_send_status', {
  scheduled_send: Type.Object({
    id: Id,
    session_id: Id,
    client_message_id: Id,
    trigger_kind: Type.Enum(['at', 'idle']),
    deliver_at: Type.Optional(Timestamp),
    created_at: Timestamp,
    state: Type.Enum(['pending', 'dispatching', 'completed', 'failed', 'cancelled']),
    /** While it is pending. */
    content: Type.Optional(Type.String()),
    error: Type.Optional(ChatError),
  }),
});

/** `chat_list`: the conversations that the agent's own screen lists. */
export const ChatList = frame('chat_list', {
  session_id: Id,
  chats: Type.Array(
    Type.Object({
      id: Id,
      kind: Id,
      title: Label,
      action: Type.Optional(Id),
      project: Type.Optional(Label),
      project_index: Type.Optional(Count),
      active: Type.Optional(Type.Boolean()),
    }),
    { maxItems: LIMITS.chat_list.value },
  ),
  read_at: Type.Optional(Timestamp),
});
