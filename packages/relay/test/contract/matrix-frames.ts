import type { ChatFrameType } from '@drawbridge/protocol';
import {
  AT,
  answerOf,
  closeOf,
  configOf,
  contentOf,
  deliveredOf,
  historyOf,
  interruptOf,
  launchOf,
  listOf,
  promptOf,
  resultOf,
  sendOf,
  sessionObject,
  statusOf,
} from './frames.ts';
import type { Loose } from './peer.ts';

/** Ids in a cell's frame. The session has an open prompt `p1` and a send `c1` in flight. */
export interface Cell {
  readonly session_id: string;
  /** Launch that a person waits for. */
  readonly launch_id: string;
  /** Command that a person waits for. */
  readonly control_id: string;
  readonly request_id: string;
  readonly machine_label: string;
  /** A session whose proxy is away, with a queued send `w1`. */
  readonly waiting_id: string;
}

export interface MatrixFrame {
  readonly frame: (cell: Cell) => Loose;
  /** Accepted without any frame as its effect. */
  readonly isSilent?: boolean;
  /** The peer and the frame that show the effect of an accepted frame. */
  readonly shows?: readonly ['sender' | 'proxy' | 'watcher', ChatFrameType];
}

const EVENT = { event_id: 'evt_forged', sequence: 1_000 };
const SENT = { message_id: 'c1', client_message_id: 'c1' };

/** A frame of each type that would have an effect if accepted. */
export const MATRIX_FRAMES: Readonly<Record<ChatFrameType, MatrixFrame>> = {
  connection_hello: { frame: () => ({ peer_role: 'browser', client_name: 'again' }) },
  heartbeat: { frame: () => ({}), shows: ['sender', 'heartbeat_ack'] },

  send_message: {
    frame: ({ session_id }) => sendOf(session_id, 'c2'),
    shows: ['watcher', 'message_accepted'],
  },
  history_request: {
    frame: ({ session_id }) => historyOf(session_id),
    shows: ['sender', 'history_snapshot'],
  },
  launch_session: {
    frame: ({ request_id, machine_label }) => launchOf(request_id, { machine_label }),
    shows: ['proxy', 'launch_session'],
  },
  close_session: {
    frame: ({ session_id, request_id }) => closeOf(session_id, request_id),
    shows: ['proxy', 'close_session'],
  },
  permission_response: {
    frame: ({ session_id, request_id }) => answerOf(session_id, 'p1', { request_id }),
    shows: ['proxy', 'permission_response'],
  },
  agent_interrupt: {
    frame: ({ session_id, request_id }) => interruptOf(session_id, request_id),
    shows: ['proxy', 'agent_interrupt'],
  },
  agent_config_request: {
    frame: ({ session_id, request_id }) => ({ session_id, request_id }),
    shows: ['proxy', 'agent_config_request'],
  },
  agent_set_model: {
    frame: ({ session_id, request_id }) => ({ session_id, request_id, model_id: 'm2' }),
    shows: ['proxy', 'agent_set_model'],
  },
  cancel_message: {
    frame: ({ waiting_id, request_id }) => ({
      session_id: waiting_id,
      request_id,
      client_message_id: 'w1',
    }),
    shows: ['watcher', 'message_cancelled'],
  },
  edit_message: {
    frame: ({ waiting_id, request_id }) => ({
      session_id: waiting_id,
      request_id,
      client_message_id: 'w1',
      content: 'other words',
    }),
    shows: ['watcher', 'message_edited'],
  },
  agent_answer: {
    frame: ({ session_id, request_id }) => ({ session_id, request_id, question_id: 'q1', answer: 'decline' }),
    shows: ['proxy', 'agent_answer'],
  },
  agent_set_mode: {
    frame: ({ session_id, request_id }) => ({ session_id, request_id, mode_id: 'plan' }),
    shows: ['proxy', 'agent_set_mode'],
  },

  proxy_session_snapshot: {
    frame: ({ session_id }) => listOf(sessionObject(session_id, { display_name: 'Renamed' })),
    shows: ['watcher', 'session_up'],
  },
  proxy_message: {
    frame: ({ session_id }) => contentOf(session_id, 'Hello.'),
    shows: ['watcher', 'message_event'],
  },
  proxy_send_result: {
    frame: ({ session_id }) => deliveredOf(session_id, 'c1'),
    shows: ['watcher', 'message_delivered'],
  },
  proxy_status: {
    frame: ({ session_id }) => statusOf(session_id, { status: 'degraded' }),
    shows: ['watcher', 'session_status'],
  },
  session_launch_ack: {
    frame: ({ launch_id, session_id }) => ({ request_id: launch_id, session_id }),
    shows: ['watcher', 'session_launch_ack'],
  },
  session_launch_failed: {
    frame: ({ launch_id }) => ({ request_id: launch_id, error_code: 'agent_not_open', reason: 'Not open' }),
    shows: ['watcher', 'session_launch_failed'],
  },
  session_closed: { frame: ({ session_id }) => ({ session_id }), shows: ['watcher', 'session_closed'] },
  permission_prompt: {
    frame: ({ session_id }) => promptOf(session_id, 'p2'),
    shows: ['watcher', 'permission_prompt'],
  },
  permission_prompt_withdrawn: {
    frame: ({ session_id }) => ({ session_id, prompt_id: 'p1' }),
    shows: ['watcher', 'permission_prompt_expired'],
  },
  permission_prompt_expired: {
    frame: ({ session_id }) => ({ session_id, prompt_id: 'p1' }),
    shows: ['watcher', 'permission_prompt_expired'],
  },
  agent_question: {
    frame: ({ session_id }) => ({ session_id, question_id: 'q2', text: 'Which branch?' }),
    shows: ['watcher', 'agent_question'],
  },
  agent_config: { frame: ({ session_id }) => configOf(session_id, 'm1'), shows: ['watcher', 'agent_config'] },
  agent_control_result: {
    frame: ({ session_id, control_id }) => resultOf(session_id, control_id, { command: 'agent_interrupt' }),
    shows: ['watcher', 'agent_control_result'],
  },

  connection_ack: {
    frame: () => ({
      connection_id: 'conn_1',
      server_ts: AT,
      heartbeat_interval_ms: 1,
      heartbeat_timeout_ms: 1,
    }),
  },
  connection_error: { frame: () => ({ code: 'unauthorized', message: 'You may not.' }) },
  heartbeat_ack: { frame: () => ({}) },
  session_snapshot: { frame: () => ({ sessions: [] }) },
  session_up: {
    frame: ({ session_id }) => ({ ...EVENT, session: sessionObject(session_id, { status: 'degraded' }) }),
  },
  session_down: { frame: ({ session_id }) => ({ ...EVENT, session_id }) },
  session_status: { frame: ({ session_id }) => ({ ...EVENT, session_id, status: 'degraded' }) },
  message_accepted: {
    frame: ({ session_id }) => ({ ...EVENT, session_id, ...SENT, status: 'accepted', accepted_at: AT }),
  },
  message_delivered: {
    frame: ({ session_id }) => ({ ...EVENT, session_id, ...SENT, status: 'delivered', delivered_at: AT }),
  },
  message_failed: {
    frame: ({ session_id }) => ({
      ...EVENT,
      session_id,
      ...SENT,
      status: 'failed',
      failed_at: AT,
      error: { code: 'cancelled', message: 'Gone' },
    }),
  },
  message_event: {
    frame: ({ session_id }) => ({
      ...EVENT,
      session_id,
      message: { message_id: 'm1', role: 'assistant', content: 'Hello.', created_at: AT },
    }),
  },
  history_snapshot: {
    frame: ({ session_id }) => ({ session_id, last_sequence: 0, messages: [] }),
    shows: ['watcher', 'transcript_resync_required'],
  },
  history_delta: {
    frame: ({ session_id }) => ({ session_id, from_sequence: 0, last_sequence: 0, events: [] }),
  },
  session_launching: { frame: ({ launch_id }) => ({ request_id: launch_id, agent_type: 'claude' }) },
  message_cancelled: { frame: ({ session_id }) => ({ ...EVENT, session_id, ...SENT, cancelled_at: AT }) },
  message_edited: {
    frame: ({ session_id }) => ({ ...EVENT, session_id, ...SENT, content: 'other words', edited_at: AT }),
  },
  permission_prompt_answered: {
    frame: ({ session_id }) => ({
      ...EVENT,
      session_id,
      prompt_id: 'p1',
      choice_id: 'yes',
      answered_by: 'Somebody',
      answered_at: AT,
    }),
  },
  lagging: { frame: () => ({ waiting_events: 1 }) },
  reconnect_hint: { frame: () => ({ after_ms: 1 }) },
  message_append: { frame: ({ session_id }) => ({ session_id, message_id: 'm', offset: 1, text: 'x' }) },
  message_checking: {
    frame: ({ session_id }) => ({ session_id, message_id: 'm', client_message_id: 'm' }),
  },
  proxy_offer: { frame: () => ({ agents: [], workspaces: [] }), isSilent: true },
  subscribe: {
    frame: ({ session_id, request_id }) => ({ request_id, sessions: [session_id] }),
    shows: ['sender', 'subscription_ack'],
  },
  history_chunk_request: {
    frame: ({ session_id, request_id }) => ({ request_id, session_id, mode: 'tail' }),
    shows: ['sender', 'history_chunk'],
  },
  message_delta: {
    frame: ({ session_id }) => ({ session_id, message_id: 'm', block_index: 0, seq: 0, op: 'block_open' }),
    shows: ['watcher', 'message_delta'],
  },
  chat_list: {
    frame: ({ session_id }) => ({ session_id, chats: [{ id: 'c1', kind: 'chat', title: 'Tests' }] }),
    shows: ['watcher', 'chat_list'],
  },
  scheduled_send_status: {
    frame: ({ session_id }) => ({
      scheduled_send: {
        ...{ id: 'j', session_id, client_message_id: 'scheduled-send-j', trigger_kind: 'idle' },
        ...{ created_at: '2026-01-01T00:00:00.000Z', state: 'pending' },
      },
    }),
  },
  agent_started: {
    frame: ({ session_id }) => ({ session_id, client_message_id: 'c1' }),
    shows: ['watcher', 'agent_started'],
  },
  message_queued: {
    frame: ({ session_id }) => ({ session_id, client_message_id: 'c1', content: 'Next.' }),
    shows: ['watcher', 'message_queued'],
  },
  native_queue: {
    frame: ({ session_id }) => ({ session_id, items: [] }),
    shows: ['watcher', 'native_queue'],
  },
  rate_limit_active: {
    frame: ({ session_id }) => ({ session_id, percent_used: 91, hard_limited: false }),
    shows: ['watcher', 'rate_limit_active'],
  },
  rate_limit_cleared: {
    frame: ({ session_id }) => ({ session_id }),
    shows: ['watcher', 'rate_limit_cleared'],
  },
  transcript_resync_required: { frame: ({ session_id }) => ({ session_id, reason: 'cursor_gap' }) },
  agent_goal_control: {
    frame: ({ session_id, request_id }) => ({ session_id, request_id, action: 'pause' }),
    shows: ['sender', 'agent_control_result'],
  },
  subscription_ack: { frame: ({ session_id }) => ({ sessions: [session_id], state_epoch: 'e' }) },
  session_summary: {
    frame: ({ session_id }) => ({
      session_id,
      status: 'healthy',
      unread_delta: 1,
      state_epoch: 'e',
      state_seq: 1,
    }),
  },
  session_patch: {
    frame: ({ session_id }) => ({
      ...EVENT,
      session_id,
      patch: { display_name: 'Forged' },
      removed_fields: [],
      state_epoch: 'e',
      state_seq: 1,
    }),
  },
  history_chunk: {
    frame: ({ session_id, request_id }) => ({
      ...{ request_id, session_id, mode: 'tail', source: 'relay_sqlite', partial: false, complete: true },
      ...{ total_messages: 0, loaded_messages: 0, cursor: { next_before_id: null }, messages: [] },
    }),
  },
};
