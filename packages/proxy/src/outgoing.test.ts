import type { ChatLink, ChatState, Outgoing as Frame } from '@drawbridge/link/chat';
import { BridgeError } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { Outgoing } from './outgoing.ts';

const messageOf = (message_id: string, content: string): Frame => ({
  type: 'proxy_message',
  session_id: 's',
  message: { message_id, role: 'assistant', content, created_at: '2026-01-01T00:00:00.000Z' },
});
const wordsOf = (frame: Frame): string =>
  frame.type === 'proxy_message' ? `${frame.message.message_id} ${frame.message.content}` : frame.type;

function bench() {
  const sent: string[] = [];
  const lost: string[] = [];
  const clock = createFakeClock(0);
  let tellState: (state: ChatState) => void = () => {};
  let isSlow = false;
  const link: Pick<ChatLink, 'onState' | 'send'> = {
    onState: (listener) => {
      tellState = listener;
      return () => {};
    },
    send: (frame) => {
      const evidence = { reason: isSlow ? 'backpressure' : 'frame_too_large' };
      if (isSlow || wordsOf(frame).endsWith('huge'))
        throw new BridgeError('transport_failed', 'No.', { evidence });
      sent.push(wordsOf(frame));
    },
  };
  const out = new Outgoing({
    link,
    after: (ms, run) => {
      const handle = clock.setTimeout(run, ms);
      return () => clock.clearTimeout(handle);
    },
    hello: () => [{ type: 'proxy_session_snapshot', sessions: [] }],
    onLost: (frame) => lost.push(wordsOf(frame)),
  });
  return {
    out,
    sent,
    lost,
    clock,
    open: () => tellState({ kind: 'open' }),
    break: () => tellState({ kind: 'connecting', attempt: 2 }),
    slow: (is: boolean) => {
      isSlow = is;
    },
  };
}

test('queues frames while disconnected, and sends the newest form of each message after the greeting', () => {
  const { out, sent, open } = bench();
  out.say(messageOf('a', 'one'));
  out.say({ type: 'proxy_status', session_id: 's', status: 'healthy' });
  out.say(messageOf('b', 'two'));
  out.say(messageOf('a', 'one and more'));
  open();
  expect(sent).toEqual(['proxy_session_snapshot', 'a one and more', 'b two']);
});

test('repeats the latest unacknowledged messages after a reconnect', () => {
  const { out, sent, open, break: lose } = bench();
  open();
  out.say(messageOf('a', 'one'));
  lose();
  out.say(messageOf('b', 'two'));
  open();
  expect(sent).toEqual(['proxy_session_snapshot', 'a one', 'proxy_session_snapshot', 'a one', 'b two']);
});

test('waits for a slow relay, and reports a frame that is too large', async () => {
  const { out, sent, lost, open, slow, clock } = bench();
  open();
  slow(true);
  out.say(messageOf('a', 'one'));
  out.say(messageOf('b', 'huge'));
  out.say(messageOf('c', 'three'));
  slow(false);
  await clock.advance(1_000);
  expect(sent).toEqual(['proxy_session_snapshot', 'a one', 'c three']);
  expect(lost).toEqual(['b huge']);
});
