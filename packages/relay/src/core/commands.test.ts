import { CHAT_FRAMES, type ChatFrameType } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import {
  AT,
  createCoreHarness,
  openPeer,
  person,
  proxyOf,
  type SentFrame,
} from '../../test/core/core-harness.ts';
import { SENDERS } from './commands.ts';

const ids = {
  request_id: 'r1',
  session_id: 's1',
  client_message_id: 'm1',
  prompt_id: 'p1',
  question_id: 'q1',
};
const stamps = { event_id: 'e1', sequence: 1, message_id: 'm1', server_ts: AT, connection_id: 'c1' };
const times = {
  accepted_at: AT,
  delivered_at: AT,
  failed_at: AT,
  created_at: AT,
  edited_at: AT,
  answered_at: AT,
};
const numbers = {
  last_sequence: 1,
  from_sequence: 1,
  heartbeat_interval_ms: 1,
  heartbeat_timeout_ms: 1,
  after_ms: 1,
  offset: 1,
};
const words = {
  content: 'x',
  text: 'x',
  reason: 'x',
  prompt_text: 'x',
  choice_id: 'yes',
  model_id: 'x',
  mode_id: 'x',
  code: 'x',
  action: 'pause',
};
const session = { session_id: 's1', agent_type: 'codex', status: 'healthy' };

/** Enough fields for a frame of any type to be well-formed. */
const filled = (type: ChatFrameType): SentFrame => ({
  type,
  ...ids,
  ...stamps,
  ...times,
  ...numbers,
  ...words,
  message:
    type === 'connection_error' || type === 'lagging'
      ? 'x'
      : { message_id: 'm1', role: 'user', content: 'x', created_at: AT },
  cancelled_at: AT,
  error_code: 'x',
  answered_by: 'x',
  waiting_events: 1,
  agent_type: 'codex',
  command: 'agent_interrupt',
  result: type === 'proxy_send_result' ? 'delivered' : 'ok',
  answer: 'accept',
  error: { code: 'x', message: 'x' },
  choices: [{ choice_id: 'yes', label: 'Yes', is_default: true }],
  sessions: type.startsWith('subscri') ? ['s1'] : [session],
  agents: [],
  workspaces: [],
  ...{ state_epoch: 'e', state_seq: 1, unread_delta: 0, patch: {}, removed_fields: [], chats: [] },
  ...{ block_index: 0, seq: 0, op: 'block_open', mode: 'tail', source: 'relay_sqlite' },
  ...{ partial: false, complete: true, total_messages: 0, loaded_messages: 0 },
  cursor: { next_before_id: null },
  scheduled_send: {
    ...{ id: 'j1', session_id: 's1', client_message_id: 'c1' },
    trigger_kind: 'idle',
    created_at: AT,
    state: 'pending',
  },
  session,
  messages: [],
  events: [],
  ...(type === 'session_closed' && { reason: 'user_requested' }),
  status: STATUS.get(type) ?? 'healthy',
});

const STATUS = new Map<ChatFrameType, string>([
  ['message_accepted', 'accepted'],
  ['message_delivered', 'delivered'],
  ['message_failed', 'failed'],
]);

const KINDS = { browser: person(), proxy: proxyOf('elsewhere'), stranger: undefined } as const;
const isType = (type: string): type is ChatFrameType => type in CHAT_FRAMES && type !== 'connection_hello';
const types = Object.keys(CHAT_FRAMES).filter(isType);

describe('permissions by peer kind', () => {
  test.each(['browser', 'proxy', 'stranger'] as const)(
    '[CHT-87] [CHT-88] [CHT-91] [CHT-181] a %s that may not send a type gets unauthorized, and nothing happens',
    async (kind) => {
      const { core, proxy, ledger } = await createCoreHarness();
      const laptop = await proxy();
      const before = laptop.frames.length;
      for (const type of types) {
        if (SENDERS[type]?.includes(kind)) continue;
        const peer = openPeer(core, KINDS[kind]);
        await peer.hello();
        peer.send(filled(type));
        await peer.settled();
        const launch = type === 'launch_session' && kind === 'stranger';
        const answer = launch ? peer.of('session_launch_failed')[0] : peer.of('connection_error')[0];
        expect({ type, answer }).toMatchObject({
          answer: launch ? { error_code: 'unauthorized' } : { code: 'unauthorized', request_id: 'r1' },
        });
        peer.hangUp();
      }
      expect((await ledger.session('s1'))?.head).toBe(1);
      expect(laptop.frames.length).toBe(before);
    },
  );
});
