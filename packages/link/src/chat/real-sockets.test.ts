import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFaultProxy } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { receiveChat, sequences } from '../../test/chat/chat-bench.ts';
import { ModelRelay } from '../../test/chat/model-relay.ts';
import { serveModel } from '../../test/chat/model-server.ts';
import { fileOutbox } from '../node/file-outbox.ts';
import { connectChat } from './connect-chat.ts';

/** With 1, every byte: some thousand conversations. */
const STRIDE = Number(process.env['CHAT_CUT_STRIDE'] ?? 11);

const PERSON = { peer_role: 'browser', client_name: 'test', backoff: { minMs: 2, maxMs: 20 } } as const;

test('[CHT-134] [CHT-175] [CHT-176] loses, duplicates and reorders nothing over sockets that break all the time', async () => {
  const relay = new ModelRelay({ deltaEvents: 7 });
  await using server = await serveModel(relay);
  const cutAfterBytes = { min: 1_000, max: 12_000 };
  await using proxy = await startFaultProxy({
    target: { host: '127.0.0.1', port: server.port },
    seed: 5,
    faults: { up: { cutAfterBytes }, down: { cutAfterBytes, segmentBytes: { min: 1, max: 700 } } },
  });
  const outbox = fileOutbox(await mkdtemp(join(tmpdir(), 'chat-')));
  const link = connectChat({ ...PERSON, url: `ws://127.0.0.1:${proxy.port}/ws/chat`, outbox });
  const received = receiveChat(link);
  await received.until(() => link.state.kind === 'open');
  const first = link.sendMessage({ session_id: 'a', content: 'first' });
  await first.outcome;
  const sent = Array.from({ length: 60 }, (_, n) => {
    relay.appendMessage('a', `event ${n}`);
    return link.sendMessage({ session_id: 'a', content: `message ${n} ${'x'.repeat(n * 5)}` });
  });
  await Promise.all(sent.map(({ outcome }) => outcome));
  await received.until(() => received.events.length >= relay.log('a').length);
  expect(relay.log('a')).toHaveLength(2 + 60 + 2 * 60);
  expect(sequences(received, 'a')).toEqual(relay.log('a').map(({ sequence }) => sequence));
  const accepted = relay.log('a').filter(({ type }) => type === 'message_accepted');
  expect(accepted.map((event) => 'client_message_id' in event && event.client_message_id)).toEqual(
    [first, ...sent].map(({ client_message_id }) => client_message_id),
  );
  expect(relay.hellos.length).toBeGreaterThan(2);
  expect(received.resumed.every(({ result }) => result === 'ok')).toBe(true);
  expect(received.problems).toEqual([]);
  link.close();
});

test('[CHT-100] ends in the same state after a cut at any byte, both ways', async () => {
  const relay = new ModelRelay();
  await using server = await serveModel(relay);
  const target = { host: '127.0.0.1', port: server.port };
  let cuts = 0;
  await using proxy = await startFaultProxy({
    target,
    seed: 1,
    onDecision: ({ decision }) => {
      if (decision.kind !== 'cut') return;
      cuts += 1;
      proxy.setFaults({});
    },
  });
  const talk = async (n: number) => {
    const link = connectChat({
      ...PERSON,
      url: `ws://127.0.0.1:${proxy.port}/ws/chat`,
      resume: { epoch: 'epoch_1', sessions: [{ session_id: `s${n}`, last_sequence: 0 }] },
    });
    const received = receiveChat(link);
    await link.sendMessage({ session_id: `s${n}`, content: 'Hello' }).outcome;
    link.close();
    return received;
  };
  relay.appendMessage('s0', 'one');
  await talk(0);
  const { up, down } = proxy.stats();
  let n = 0;
  for (const [direction, bytes] of [['up', up.forwarded] as const, ['down', down.forwarded] as const]) {
    for (let at = 0; at < bytes; at += STRIDE) {
      n += 1;
      relay.appendMessage(`s${n}`, 'one');
      proxy.setFaults({ [direction]: { cutAfterBytes: { min: at, max: at } } });
      const received = await talk(n);
      expect(sequences(received, `s${n}`)).toEqual([1, 2, 3]);
      expect(relay.log(`s${n}`)).toHaveLength(3);
    }
  }
  expect(cuts).toBeGreaterThan(0.9 * n);
});

test('leaves a dead line after the idle timeout', async () => {
  const relay = new ModelRelay({ heartbeat_interval_ms: 60, heartbeat_timeout_ms: 200 });
  await using server = await serveModel(relay);
  await using proxy = await startFaultProxy({ target: { host: '127.0.0.1', port: server.port }, seed: 3 });
  const link = connectChat({ ...PERSON, url: `ws://127.0.0.1:${proxy.port}/ws/chat` });
  const received = receiveChat(link);
  await received.until(() => link.state.kind === 'open');
  relay.appendMessage('a', 'one');
  await received.until(() => received.events.length === 1);
  proxy.setFaults({ up: { swallow: true }, down: { swallow: true } });
  relay.appendMessage('a', 'swallowed');
  await received.until(() => received.states.some(({ kind }) => kind === 'waiting'));
  proxy.setFaults({});
  await received.until(() => received.events.length === 2);
  expect(received.states).toContainEqual(
    expect.objectContaining({ error: expect.objectContaining({ evidence: { reason: 'peer_silent' } }) }),
  );
  link.close();
});

test('retries an address without a listener', async () => {
  const relay = new ModelRelay();
  const server = await serveModel(relay);
  await server[Symbol.asyncDispose]();
  const link = connectChat({ ...PERSON, url: server.url });
  const received = receiveChat(link);
  await received.until(() => received.states.filter(({ kind }) => kind === 'waiting').length === 3);
  link.close();
  const nowhere = connectChat({ ...PERSON, url: 'no address' });
  const delivered = receiveChat(nowhere);
  await delivered.until(() => delivered.states.some(({ kind }) => kind === 'waiting'));
  expect(nowhere.state).toMatchObject({ error: { evidence: { reason: 'dial_failed' } } });
  nowhere.close();
});
