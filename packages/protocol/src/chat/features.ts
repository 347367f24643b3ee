import { Type } from 'typebox';
import { AnyObject, Count, Id, Label, Milliseconds, SafeId, Timestamp } from '../wire/fields.ts';
import { LIMITS } from '../wire/limits.ts';
import { event, frame, stampable } from './envelope.ts';
import * as subscription from './subscription.ts';

/**
 * Frames beyond the Remote Agent Chat Protocol. Each is sent only to a peer whose `connection_hello.features`
 * lists its feature; all others get only the protocol's own frames.
 */

/** `queue`: cancels or edits a send that still waits in the relay. */
export const CancelMessage = frame('cancel_message', {
  request_id: Id,
  session_id: Id,
  client_message_id: Id,
});

export const EditMessage = frame('edit_message', {
  request_id: Id,
  session_id: Id,
  client_message_id: Id,
  content: Type.String(),
});

export const MessageCancelled = event('message_cancelled', {
  session_id: Id,
  message_id: Id,
  client_message_id: Id,
  cancelled_at: Timestamp,
});

export const MessageEdited = event('message_edited', {
  session_id: Id,
  message_id: Id,
  client_message_id: Id,
  content: Type.String(),
  edited_at: Timestamp,
});

/** `questions`: an agent asks for more than a choice. `form` is a JSON Schema of the answer. */
export const AgentQuestion = stampable('agent_question', {
  session_id: Id,
  question_id: Id,
  text: Type.String(),
  form: Type.Optional(AnyObject),
  expires_at: Type.Optional(Timestamp),
});

export const AgentAnswer = frame('agent_answer', {
  request_id: Id,
  session_id: Id,
  question_id: Id,
  answer: Type.Enum(['accept', 'decline', 'cancel']),
  values: Type.Optional(AnyObject),
  answered_by: Type.Optional(Label),
});

/** `modes`: selects one of an agent's `available_modes`. */
export const AgentSetMode = frame('agent_set_mode', { session_id: Id, mode_id: Id });

/** `prompt_answered`: the device that answered a prompt, for screens that still show it. */
export const PermissionPromptAnswered = event('permission_prompt_answered', {
  session_id: Id,
  prompt_id: Id,
  choice_id: Id,
  answered_by: Label,
  answered_at: Timestamp,
});

/** `prompt_withdrawn`: the prompt is obsolete, or was answered at the agent itself. */
export const PermissionPromptWithdrawn = frame('permission_prompt_withdrawn', {
  session_id: Id,
  prompt_id: Id,
  detected_at: Type.Optional(Timestamp),
});

/** `lagging`: the peer reads too slowly and will be disconnected; it can resume without a gap. */
export const Lagging = frame('lagging', { waiting_events: Count, message: Type.Optional(Label) });

/** `reconnect_hint`: the relay is about to stop; reconnect after `after_ms`. */
export const ReconnectHint = frame('reconnect_hint', {
  after_ms: Milliseconds,
  reason: Type.Optional(Label),
});

/**
 * `appends`: continues a message that is being written at `offset`, in UTF-16 units. No event: it has no
 * sequence and is in no history, and a later `message_event` has the whole text.
 */
export const MessageAppend = frame('message_append', {
  session_id: Id,
  message_id: Id,
  offset: Count,
  text: Type.String(),
});

/** `checking`: a proxy may have received a send, and its outcome is not known yet. No event; its outcome ends it. */
export const MessageChecking = frame('message_checking', {
  session_id: Id,
  message_id: Id,
  client_message_id: Id,
});

/** `offers`: the agents that a proxy can start, and the folders in which it may. Replaces the earlier offer. */
export const ProxyOffer = frame('proxy_offer', {
  agents: Type.Array(
    Type.Object({
      agent_type: SafeId,
      display_name: Label,
      version: Type.Optional(Label),
      sign_in: Type.Enum(['done', 'needed', 'unknown']),
      hint: Type.Optional(Label),
    }),
    { maxItems: LIMITS.offered.value },
  ),
  workspaces: Type.Array(Type.Object({ path: Label, branch: Type.Optional(Label) }), {
    maxItems: LIMITS.offered.value,
  }),
});

export const FEATURE_FRAMES = {
  cancel_message: CancelMessage,
  edit_message: EditMessage,
  message_cancelled: MessageCancelled,
  message_edited: MessageEdited,
  agent_question: AgentQuestion,
  agent_answer: AgentAnswer,
  agent_set_mode: AgentSetMode,
  permission_prompt_answered: PermissionPromptAnswered,
  permission_prompt_withdrawn: PermissionPromptWithdrawn,
  lagging: Lagging,
  reconnect_hint: ReconnectHint,
  message_append: MessageAppend,
  message_checking: MessageChecking,
  proxy_offer: ProxyOffer,
  subscribe: subscription.Subscribe,
  subscription_ack: subscription.SubscriptionAck,
  session_summary: subscription.SessionSummary,
  session_patch: subscription.SessionPatch,
  message_delta: subscription.MessageDelta,
  history_chunk_request: subscription.HistoryChunkRequest,
  history_chunk: subscription.HistoryChunk,
  chat_list: subscription.ChatList,
  scheduled_send_status: subscription.ScheduledSendStatus,
  agent_started: subscription.AgentStarted,
  message_queued: subscription.MessageQueued,
  native_queue: subscription.NativeQueue,
  rate_limit_active: subscription.RateLimitActive,
  rate_limit_cleared: subscription.RateLimitCleared,
  transcript_resync_required: subscription.TranscriptResyncRequired,
  agent_goal_control: subscription.AgentGoalControl,
} as const;

export const CHAT_FEATURES = {
  queue: ['cancel_message', 'edit_message', 'message_cancelled', 'message_edited'],
  questions: ['agent_question', 'agent_answer'],
  modes: ['agent_set_mode'],
  /** Adds no frame: its listeners get a `connection_error` when two proxies share a name. */
  label_alarm: [],
  /** Adds no frame: the proxy never injects a send twice and answers a repeated one from its record. */
  resend: [],
  /** Adds no frame: `heartbeat_ack` with a `request_id` follows the storing of everything before it. */
  stored: [],
  prompt_answered: ['permission_prompt_answered'],
  prompt_withdrawn: ['permission_prompt_withdrawn'],
  lagging: ['lagging'],
  reconnect_hint: ['reconnect_hint'],
  appends: ['message_append'],
  /** Adds no frame: a `message_event` continues the text that its listener has from `message_append`. */
  continued: [],
  checking: ['message_checking'],
  offers: ['proxy_offer'],
  subscriptions: ['subscribe', 'subscription_ack', 'session_summary', 'session_patch'],
  deltas: ['message_delta'],
  chunks: ['history_chunk_request', 'history_chunk'],
  chat_list: ['chat_list'],
  scheduled_sends: ['scheduled_send_status'],
  deliveries: ['agent_started', 'message_queued', 'native_queue'],
  rate_limits: ['rate_limit_active', 'rate_limit_cleared'],
  resync: ['transcript_resync_required'],
  goals: ['agent_goal_control'],
  /** Adds no frame: messages with details of ours have them as `content_blocks` too. */
  content_blocks: [],
} as const satisfies Record<string, readonly (keyof typeof FEATURE_FRAMES)[]>;

export type ChatFeature = keyof typeof CHAT_FEATURES;
