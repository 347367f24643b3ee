import type { ChatFrameType } from '@drawbridge/protocol';

/** Sender permissions from the contract and docs/spec/chat.md alone; the relay's own table is not read. */
export const MATRIX_TEST = 'packages/relay/src/contract/matrix.test.ts';

export const MATRIX_ROLES = ['owner', 'person', 'proxy', 'runtime', 'agent', 'stranger', 'revoked'] as const;
export type MatrixRole = (typeof MATRIX_ROLES)[number];

/** Results of a frame. */
export const OUTCOMES = {
  taken: 'The relay acts on it.',
  unauthorized: '`connection_error` `unauthorized`, and nothing changes (CHT-91).',
  launch_refused: '`session_launch_failed` with `error_code: "unauthorized"`, and nothing changes (CHT-181).',
  repeated: '`connection_error` `invalid_message`, and nothing changes: hello was already sent (CHT-104).',
  no_hello:
    'The `connection_hello` gets `connection_error` `unauthorized`, the socket is closed with code 4401, and no frame is read (CHT-85).',
  no_socket: 'The upgrade is refused with status 401 (CHT-93).',
} as const;
export type Outcome = keyof typeof OUTCOMES;

/** The side of the wire that a frame comes from. */
export type Sender = 'browser' | 'proxy' | 'both' | 'relay';

/** Direction of each frame by the contract. */
export const SENDERS: Readonly<Record<ChatFrameType, Sender>> = {
  connection_hello: 'both',
  connection_ack: 'relay',
  connection_error: 'relay',
  heartbeat: 'both',
  heartbeat_ack: 'relay',
  session_snapshot: 'relay',
  session_up: 'relay',
  session_down: 'relay',
  session_status: 'relay',
  send_message: 'browser',
  message_accepted: 'relay',
  message_delivered: 'relay',
  message_failed: 'relay',
  message_event: 'relay',
  history_request: 'browser',
  history_snapshot: 'proxy',
  history_delta: 'relay',
  proxy_session_snapshot: 'proxy',
  proxy_message: 'proxy',
  proxy_send_result: 'proxy',
  proxy_status: 'proxy',
  launch_session: 'browser',
  session_launching: 'relay',
  session_launch_ack: 'proxy',
  session_launch_failed: 'proxy',
  close_session: 'browser',
  session_closed: 'proxy',
  permission_prompt: 'proxy',
  permission_response: 'browser',
  permission_prompt_expired: 'proxy',
  agent_interrupt: 'browser',
  agent_config_request: 'browser',
  agent_set_model: 'browser',
  agent_config: 'proxy',
  agent_control_result: 'proxy',
  cancel_message: 'browser',
  edit_message: 'browser',
  message_cancelled: 'relay',
  message_edited: 'relay',
  agent_question: 'proxy',
  agent_answer: 'browser',
  agent_set_mode: 'browser',
  permission_prompt_answered: 'relay',
  permission_prompt_withdrawn: 'proxy',
  lagging: 'relay',
  reconnect_hint: 'relay',
  message_append: 'relay',
  message_checking: 'relay',
  proxy_offer: 'proxy',
  subscribe: 'browser',
  subscription_ack: 'relay',
  session_summary: 'relay',
  session_patch: 'relay',
  message_delta: 'proxy',
  history_chunk_request: 'browser',
  history_chunk: 'relay',
  chat_list: 'proxy',
  scheduled_send_status: 'relay',
  agent_started: 'proxy',
  message_queued: 'proxy',
  native_queue: 'proxy',
  rate_limit_active: 'proxy',
  rate_limit_cleared: 'proxy',
  transcript_resync_required: 'relay',
  agent_goal_control: 'browser',
};

type Connected = 'owner' | 'person' | 'proxy' | 'stranger';

const SENT_BY: Readonly<Record<Sender, Readonly<Record<Connected, Outcome>>>> = {
  browser: { owner: 'taken', person: 'taken', proxy: 'unauthorized', stranger: 'unauthorized' },
  proxy: { owner: 'unauthorized', person: 'unauthorized', proxy: 'taken', stranger: 'unauthorized' },
  both: { owner: 'taken', person: 'taken', proxy: 'taken', stranger: 'taken' },
  relay: {
    owner: 'unauthorized',
    person: 'unauthorized',
    proxy: 'unauthorized',
    stranger: 'unauthorized',
  },
};

const REPEATED = { owner: 'repeated', person: 'repeated', proxy: 'repeated', stranger: 'repeated' } as const;

const EXCEPTIONS: Readonly<Partial<Record<ChatFrameType, Readonly<Partial<Record<Connected, Outcome>>>>>> = {
  connection_hello: REPEATED,
  launch_session: { stranger: 'launch_refused' },
};

export const matrixRow = (type: ChatFrameType): Readonly<Record<MatrixRole, Outcome>> => ({
  ...SENT_BY[SENDERS[type]],
  runtime: 'no_hello',
  agent: 'no_hello',
  revoked: 'no_socket',
  ...EXCEPTIONS[type],
});

const isType = (name: string): name is ChatFrameType => name in SENDERS;

export const MATRIX_TYPES: readonly ChatFrameType[] = Object.keys(SENDERS).filter(isType);
