import { createGate } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { setUpChat } from '../../test/chat/chat-bench.ts';
import type { SocketLike } from '../socket-like.ts';
import type { SendFrame } from './chat-link.ts';
import { memoryOutbox, type OutboxStore } from './outbox-store.ts';

const DEAD_SOCKET: SocketLike = {
  protocol: '',
  readyState: 0,
  bufferedAmount: 0,
  send: () => {},
  close: () => {},
  addEventListener: () => {},
};

const sendsOf = (relay: ReturnType<typeof setUpChat>['relay']) =>
  relay.received.flatMap((frame) => (frame.type === 'send_message' ? [frame] : []));

test('[CHT-134] reports a message as pending, accepted and delivered', async () => {
  const { connect, settle, relay } = setUpChat();
  const { link } = connect();
  const { client_message_id, accepted, outcome } = link.sendMessage({ session_id: 's', content: 'Hello' });
  expect(link.pending).toMatchObject([{ client_message_id, session_id: 's', content: 'Hello' }]);
  expect(relay.received).toEqual([]);
  await settle();
  await accepted;
  expect(await outcome).toEqual({ status: 'delivered' });
  expect(link.pending).toEqual([]);
});

test('[CHT-135] stores a message before it is sent, and does not send one that cannot be stored', async () => {
  const { connect, settle, relay } = setUpChat();
  const log: string[] = [];
  let store = (): Promise<void> => Promise.resolve();
  const outbox: OutboxStore = {
    load: async () => [],
    put: async (message) => {
      log.push(`put ${message.content}, ${sendsOf(relay).length} sent`);
      await store();
    },
    remove: async () => {
      log.push('remove');
    },
  };
  const { link, heard } = connect({ outbox });
  await settle();
  await Promise.all([settle(), link.sendMessage({ session_id: 's', content: 'one' }).accepted]);
  expect(log).toEqual(['put one, 0 sent', 'remove']);
  store = () => Promise.reject(new Error('The disk is full.'));
  const { accepted } = link.sendMessage({ session_id: 's', content: 'two' });
  await expect(accepted).rejects.toMatchObject({
    code: 'transport_failed',
    evidence: { reason: 'store_failed' },
  });
  await settle();
  expect(sendsOf(relay).map(({ content }) => content)).toEqual(['one']);
  expect(heard.problems).toMatchObject([{ kind: 'store_failed' }]);
  expect(link.pending).toEqual([]);
});

test('[CHT-134] [CHT-135] resends an unanswered message with the same id after a break and after a restart', async () => {
  const { connect, settle, relay, pairs, reconnect } = setUpChat();
  const outbox = memoryOutbox();
  const first = connect({ outbox });
  await settle();
  pairs[0]?.dropNext('b', 100);
  const { client_message_id, accepted } = first.link.sendMessage({ session_id: 's', content: 'Hello' });
  await settle();
  await reconnect();
  await accepted;
  expect(sendsOf(relay).map((frame) => frame.client_message_id)).toEqual([
    client_message_id,
    client_message_id,
  ]);
  expect(relay.log('s')).toHaveLength(2);

  pairs[1]?.dropNext('a', 100);
  const lost = first.link.sendMessage({ session_id: 's', content: 'Before the reload' });
  await settle();
  first.link.close();
  await expect(lost.accepted).rejects.toMatchObject({ evidence: { reason: 'closed_here' } });
  const second = connect({ outbox });
  const delivered: Array<readonly SendFrame[]> = [];
  second.link.onPending((pending) => delivered.push(pending));
  await settle();
  expect(delivered[0]).toMatchObject([{ client_message_id: lost.client_message_id }]);
  expect(relay.log('s').map(({ type }) => type)).toEqual([
    'message_accepted',
    'message_delivered',
    'message_accepted',
    'message_delivered',
  ]);
  expect(second.link.pending).toEqual([]);
  expect(await outbox.load()).toEqual([]);
});

test('[CHT-134] resends an unanswered message on the same connection', async () => {
  const { connect, settle, relay, pairs, pass } = setUpChat();
  const { link } = connect();
  await settle();
  pairs[0]?.dropNext('a', 1);
  link.sendMessage({ session_id: 's', content: 'Hello' });
  await settle();
  await pass(21_000);
  expect(pairs).toHaveLength(1);
  expect(link.pending).toEqual([]);
  expect(relay.log('s')).toHaveLength(2);
});

test('does not resend a message that the resume answers', async () => {
  const { connect, settle, relay, pairs, reconnect } = setUpChat();
  const { link } = connect();
  await settle();
  relay.appendMessage('s', 'followed from here on');
  await settle();
  pairs[0]?.dropNext('b', 100);
  const { outcome } = link.sendMessage({ session_id: 's', content: 'Hello' });
  await settle();
  await reconnect();
  expect(await outcome).toEqual({ status: 'delivered' });
  expect(sendsOf(relay)).toHaveLength(1);
});

test('sends messages in creation order, even when storing one takes longer', async () => {
  const { connect, settle, relay } = setUpChat();
  const slow = createGate();
  const { link } = connect({
    outbox: {
      ...memoryOutbox(),
      put: ({ content }) => (content === '1' ? slow.passed() : Promise.resolve()),
    },
  });
  await settle();
  for (const content of ['1', '2', '3']) link.sendMessage({ session_id: 's', content });
  await settle();
  expect(sendsOf(relay)).toEqual([]);
  slow.open();
  await settle();
  expect(sendsOf(relay).map(({ content }) => content)).toEqual(['1', '2', '3']);
});

test('sends messages of an earlier run first, even when reading them takes longer', async () => {
  const { connect, settle, relay } = setUpChat();
  const outbox = memoryOutbox();
  const gone = connect({ outbox, open: () => DEAD_SOCKET });
  gone.link.sendMessage({ session_id: 's', content: 'old' });
  await settle();
  gone.link.close();
  const slow = createGate();
  const { link } = connect({
    outbox: { ...outbox, load: () => slow.passed().then(outbox.load) },
  });
  link.sendMessage({ session_id: 's', content: 'new' });
  await settle();
  expect(sendsOf(relay)).toEqual([]);
  slow.open();
  await settle();
  expect(sendsOf(relay).map(({ content }) => content)).toEqual(['old', 'new']);
});

test('ignores a refusal after acceptance', async () => {
  const { connect, settle, relay } = setUpChat();
  const { link, heard } = connect();
  await settle();
  link.sendMessage({ session_id: 'other', content: 'x' });
  await settle();
  const about = { protocol_version: 1, session_id: 's', client_message_id: 'c' } as const;
  relay.broadcast({ type: 'connection_error', ...about, code: 'send_rejected', message: 'Unknown to us.' });
  const { client_message_id, outcome } = link.sendMessage({ session_id: 's', content: 'x' });
  const of = { ...about, client_message_id, message_id: client_message_id, sequence: 1, event_id: 'e1' };
  relay.broadcast({
    type: 'message_accepted',
    ...of,
    status: 'accepted',
    accepted_at: '2026-03-19T10:15:30.000Z',
  });
  relay.broadcast({
    type: 'connection_error',
    ...about,
    client_message_id,
    code: 'send_rejected',
    message: 'Other content.',
  });
  await settle();
  expect(await outcome).toEqual({ status: 'delivered' });
  expect(heard.problems).toEqual([]);
});

test('sends a full outbox one window at a time', async () => {
  const { connect, settle, relay } = setUpChat();
  const { link } = connect();
  const sent = Array.from({ length: 1_000 }, (_, n) =>
    link.sendMessage({ session_id: 's', content: `${n}` }),
  );
  expect(() => link.sendMessage({ session_id: 's', content: 'one more' })).toThrow(
    /1000 messages are unanswered/,
  );
  await settle();
  await Promise.all(sent.map(({ outcome }) => outcome));
  expect(relay.log('s')).toHaveLength(2_000);
});

test('keeps at most one window unanswered on the wire', async () => {
  const { connect, settle, relay, pairs } = setUpChat();
  const { link } = connect();
  await settle();
  pairs[0]?.dropNext('b', 10_000);
  for (let n = 0; n < 300; n++) link.sendMessage({ session_id: 's', content: `${n}` });
  await settle();
  expect(sendsOf(relay)).toHaveLength(16);
});

test.each(['send_rejected', 'session_unknown', 'unauthorized', 'invalid_message'])(
  'a refusal with %s and no time to try again is final: it is told, and not sent again',
  async (code) => {
    const { connect, settle, relay, pairs, reconnect } = setUpChat();
    const outbox = memoryOutbox();
    const { link, heard } = connect({ outbox });
    await settle();
    pairs[0]?.dropNext('a', 1);
    const { client_message_id, accepted, outcome } = link.sendMessage({ session_id: 's', content: 'Hello' });
    await settle();
    relay.broadcast({
      type: 'connection_error',
      protocol_version: 1,
      code,
      message: 'No.',
      session_id: 's',
      client_message_id,
    });
    await settle();
    await expect(accepted).rejects.toMatchObject({ name: 'ChatRefusal', code, message: 'No.' });
    await expect(outcome).rejects.toMatchObject({ code });
    expect(heard.problems).toMatchObject([
      { kind: 'send_refused', message: { client_message_id, content: 'Hello' } },
    ]);
    await reconnect();
    expect(sendsOf(relay)).toEqual([]);
    expect(await outbox.load()).toEqual([]);
  },
);

test('[CHT-134] [CHT-278] keeps the message on a transient refusal, and sends all in order afterwards', async () => {
  const { connect, settle, relay, pairs, pass, fake } = setUpChat();
  const outbox = memoryOutbox();
  const { link, heard } = connect({ outbox });
  await settle();
  pairs[0]?.dropNext('a', 2);
  const [one, two] = ['1', '2'].map((content) => link.sendMessage({ session_id: 's', content }));
  await settle();
  for (const sent of [one, two]) {
    relay.broadcast({
      type: 'connection_error',
      protocol_version: 1,
      code: 'send_rejected',
      message: 'The disk is full.',
      session_id: 's',
      client_message_id: sent?.client_message_id ?? '',
      retry_after_ms: 5_000,
    });
  }
  await settle();
  link.sendMessage({ session_id: 's', content: '3' });
  await pass(4_750);
  expect(sendsOf(relay)).toEqual([]);
  expect(heard.problems).toEqual([]);
  expect(await outbox.load()).toHaveLength(3);
  expect(link.pending.map(({ content }) => content)).toEqual(['1', '2', '3']);
  await pass(250);
  expect(sendsOf(relay).map(({ content }) => content)).toEqual(['1', '2', '3']);
  expect(sendsOf(relay)[0]).toMatchObject({ client_message_id: one?.client_message_id });
  expect(await one?.outcome).toEqual({ status: 'delivered' });
  expect(await outbox.load()).toEqual([]);
  link.close();
  expect(fake.pending()).toBe(0);
});

test('leaves no timer, and its message in the outbox, when closed during a pause', async () => {
  const { connect, settle, relay, pairs, fake } = setUpChat();
  const outbox = memoryOutbox();
  const { link } = connect({ outbox });
  await settle();
  pairs[0]?.dropNext('a', 1);
  const { client_message_id } = link.sendMessage({ session_id: 's', content: 'Hello' });
  await settle();
  const about = { protocol_version: 1, session_id: 's', client_message_id, retry_after_ms: 0 } as const;
  relay.broadcast({ type: 'connection_error', ...about, code: 'send_rejected', message: 'Later.' });
  await settle();
  link.close();
  await settle();
  expect(fake.pending()).toBe(0);
  expect(await outbox.load()).toMatchObject([{ client_message_id }]);
  expect(sendsOf(relay)).toEqual([]);
});

test('reports the outcome of a message, also from a history', async () => {
  const { connect, settle, relay, pairs } = setUpChat();
  const { link } = connect();
  await settle();
  pairs[0]?.dropNext('a', 4);
  const [failed, unknown, cancelled, seen] = ['a', 'b', 'c', 'd'].map((content) =>
    link.sendMessage({ session_id: 's', content }),
  );
  await settle();
  const at = '2026-03-19T10:15:30.000Z';
  const about = (id = '', sequence = 1) =>
    ({
      protocol_version: 1,
      event_id: `e${sequence}`,
      sequence,
      session_id: 's',
      message_id: id,
      client_message_id: id,
    }) as const;
  const error = { code: 'send_button_not_found', message: 'No button.' };
  relay.broadcast({
    type: 'message_failed',
    ...about(failed?.client_message_id, 1),
    status: 'failed',
    failed_at: at,
    error,
  });
  relay.broadcast({
    type: 'message_failed',
    ...about(unknown?.client_message_id, 2),
    status: 'failed',
    failed_at: at,
    error: { code: 'delivery_unknown', message: 'Who knows.' },
    indeterminate: true,
  });
  relay.broadcast({ type: 'message_cancelled', ...about(cancelled?.client_message_id, 3), cancelled_at: at });
  const id = seen?.client_message_id ?? '';
  const message = { message_id: id, client_message_id: id, role: 'user', content: 'd', created_at: at };
  relay.broadcast({
    type: 'history_snapshot',
    protocol_version: 1,
    session_id: 's',
    last_sequence: 4,
    messages: [{ ...message, status: 'failed' }],
  });
  await settle();
  expect(await Promise.all([failed, unknown, cancelled, seen].map((sent) => sent?.outcome))).toEqual([
    { status: 'failed', error, indeterminate: false },
    { status: 'failed', error: { code: 'delivery_unknown', message: 'Who knows.' }, indeterminate: true },
    { status: 'failed', error: expect.objectContaining({ code: 'cancelled' }), indeterminate: false },
    { status: 'failed', indeterminate: false },
  ]);
  expect(link.pending).toEqual([]);
});

test('neither keeps nor sends a dropped message, even when dropped while being stored', async () => {
  const { connect, settle, relay, dials } = setUpChat();
  dials.opens = false;
  const outbox = memoryOutbox();
  const { link } = connect({ outbox });
  const early = link.sendMessage({ session_id: 's', content: 'early' });
  link.drop(early.client_message_id);
  const late = link.sendMessage({ session_id: 's', content: 'late' });
  await settle();
  link.drop(late.client_message_id);
  await expect(late.accepted).rejects.toMatchObject({ evidence: { reason: 'dropped' } });
  await settle();
  expect(await outbox.load()).toEqual([]);
  dials.opens = true;
  link.wake();
  await settle();
  expect(sendsOf(relay)).toEqual([]);
});

test('refuses an empty or oversized message before storing it', async () => {
  const { connect } = setUpChat();
  const { link } = connect();
  expect(() => link.sendMessage({ session_id: 's', content: '' })).toThrow(
    expect.objectContaining({ code: 'invalid_message' }),
  );
  expect(() => link.sendMessage({ session_id: 's', content: 'x'.repeat(1_048_576) })).toThrow(
    /Attach it as a file/,
  );
  expect(link.pending).toEqual([]);
});

test('reports an unreadable outbox and sends new messages', async () => {
  const { connect, settle, relay } = setUpChat();
  const { link, heard } = connect({
    outbox: { ...memoryOutbox(), load: () => Promise.reject(new Error('Damaged.')) },
  });
  link.sendMessage({ session_id: 's', content: 'Hello' });
  await settle();
  expect(heard.problems).toMatchObject([{ kind: 'store_failed', error: { cause: { message: 'Damaged.' } } }]);
  expect(sendsOf(relay)).toHaveLength(1);
});
