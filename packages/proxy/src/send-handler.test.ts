import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameOf, Outgoing } from '@drawbridge/link/chat';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { inertTarget } from '../test/write-only-adapter.ts';
import { type AgentTarget, refusal } from './adapter.ts';
import { SendHandler } from './send-handler.ts';
import { openStateFile, type StateFile } from './state-file.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const AT = '2026-01-01T00:00:00.000Z';

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sends-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'proxy.db');
}

const open = (path: string): StateFile => {
  const state = openStateFile(path, () => NOW);
  onTestFinished(state.close);
  return state;
};

function handlerOf(
  state: StateFile,
  inject: AgentTarget['inject'],
  pastSends: NonNullable<AgentTarget['pastSends']> = async () => undefined,
) {
  const sent: Outgoing[] = [];
  const clock = createFakeClock(NOW);
  const waiting = new Set<() => void>();
  const handler = new SendHandler({
    state,
    now: () => NOW,
    after: clock.after,
    send: (frame) => {
      sent.push(frame);
      for (const look of [...waiting]) look();
    },
    targetOf: (session_id) => (session_id === 's' ? { ...inertTarget, inject, pastSends } : undefined),
    fetchFile: () => Promise.reject(refusal('send_injection_failed', 'There is no such file.')),
    onDelivery: () => {},
  });
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (sent.length >= count) resolve();
      };
      waiting.add(look);
      look();
    });
  return { handler, sent, until, clock };
}

const sendOf = (client_message_id: string, attempt: number, session_id = 's'): FrameOf<'send_message'> => ({
  type: 'send_message',
  protocol_version: 1,
  session_id,
  client_message_id,
  content: client_message_id,
  created_at: AT,
  attempt,
});

test('[CHT-161] [CHT-155] does not inject a repeated send, and reports its outcome under the new attempt', async () => {
  const path = temporaryFile();
  const taken: string[] = [];
  const first = open(path);
  const { handler, sent, until } = handlerOf(first, async ({ text }) => void taken.push(text));
  handler.take(sendOf('a', 1));
  handler.take(sendOf('a', 2));
  await until(1);
  handler.take(sendOf('a', 3));
  await until(2);
  first.close();
  const later = handlerOf(open(path), async ({ text }) => void taken.push(text));
  later.handler.take(sendOf('a', 4));
  await later.until(1);
  expect(taken).toEqual(['a']);
  const outcome = {
    type: 'proxy_send_result',
    session_id: 's',
    client_message_id: 'a',
    result: 'delivered',
    delivered_at: AT,
  };
  expect([...sent, ...later.sent]).toEqual([2, 3, 4].map((attempt) => ({ ...outcome, attempt })));
});

test('[CHT-161] [CHT-160] reports a send that was only intended at a crash as unknown, and does not inject it', async () => {
  const path = temporaryFile();
  const died = open(path);
  died.record('s', 'a', { state: 'intent' });
  died.close();
  const { handler, sent, until } = handlerOf(open(path), () => Promise.reject(new Error('injected')));
  handler.take(sendOf('a', 2));
  await until(1);
  expect(sent).toMatchObject([{ result: 'failed', attempt: 2, error: { code: 'delivery_unknown' } }]);
});

test('[CHT-305] looks up a send that was only intended at a crash in the history of the agent', async () => {
  const path = temporaryFile();
  const died = open(path);
  for (const [id, text] of [
    ['a', 'yes'],
    ['b', 'no'],
    ['c', 'yes'],
  ] as const) {
    died.record('s', id, { state: 'intent', text });
    if (id !== 'c') died.record('s', id, { state: 'injected', at: AT });
  }
  died.close();
  const injected = () => Promise.reject(new Error('injected'));
  const send = { ...sendOf('c', 2), content: 'yes' };
  const state = open(path);
  const absent = handlerOf(state, injected, async () => ['yes', 'no']);
  absent.handler.take(send);
  await absent.until(1);
  expect(absent.sent).toMatchObject([{ result: 'failed', error: { code: 'delivery_unknown' } }]);

  state.record('s', 'c', { state: 'intent', text: 'yes' });
  const there = handlerOf(state, injected, async () => ['yes', 'no', 'yes']);
  there.handler.take(send);
  await there.until(1);
  expect(there.sent).toMatchObject([{ result: 'delivered', attempt: 2 }]);

  // The latest one may be the earlier send of the same text.
  state.record('s', 'd', { state: 'intent', text: 'yes' });
  const same = handlerOf(state, injected, async () => ['yes', 'no', 'yes']);
  same.handler.take({ ...send, client_message_id: 'd' });
  await same.until(1);
  expect(same.sent).toMatchObject([{ result: 'failed', error: { code: 'delivery_unknown' } }]);
});

test('[CHT-305] an agent that ends before it confirms a send has it if its history does', async () => {
  const fell = () => Promise.reject(refusal('delivery_unknown', 'The agent ended.'));
  const { handler, sent, until } = handlerOf(open(temporaryFile()), fell, async () => ['earlier', 'a']);
  handler.take(sendOf('a', 1));
  handler.take(sendOf('b', 1));
  await until(2);
  expect(sent).toMatchObject([
    { client_message_id: 'a', result: 'delivered' },
    { client_message_id: 'b', result: 'failed', error: { code: 'delivery_unknown' } },
  ]);
});

test('[CHT-147] delays the next send until the agent has the previous one', async () => {
  const order: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { handler, until } = handlerOf(open(temporaryFile()), async ({ text }) => {
    order.push(`begin ${text}`);
    if (text === 'a') await held;
    order.push(`end ${text}`);
  });
  handler.take(sendOf('a', 1));
  handler.take(sendOf('b', 1));
  release();
  await until(2);
  expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b']);
});

test('[CHT-151] [CHT-256] reports a failure with a protocol code, and continues with the next send', async () => {
  const { handler, sent, until } = handlerOf(open(temporaryFile()), async ({ text }) => {
    if (text === 'a') throw new TypeError('broken');
    if (text === 'b') throw refusal('selector_failure', 'There is no input.');
  });
  handler.take(sendOf('a', 1));
  handler.take(sendOf('b', 1));
  handler.take(sendOf('c', 1));
  handler.take(sendOf('d', 1, 'elsewhere'));
  await until(4);
  const outcomes = sent.map((frame) =>
    frame.type === 'proxy_send_result' ? [frame.client_message_id, frame.error?.code ?? frame.result] : [],
  );
  expect(Object.fromEntries(outcomes)).toEqual({
    a: 'send_injection_failed',
    b: 'selector_failure',
    c: 'delivered',
    d: 'session_unknown',
  });
});

test('[CHT-160] reports unknown when the agent never acknowledges, and continues with the next send', async () => {
  const { handler, sent, until, clock } = handlerOf(open(temporaryFile()), async ({ text }) => {
    if (text === 'a') await new Promise(() => {});
  });
  handler.take(sendOf('a', 1));
  handler.take(sendOf('b', 1));
  await clock.advanceAsync(60_000);
  await until(2);
  expect(sent).toMatchObject([
    { client_message_id: 'a', result: 'failed', error: { code: 'delivery_unknown' } },
    { client_message_id: 'b', result: 'delivered' },
  ]);
});

test('fails the send before injection when its file is missing', async () => {
  const { handler, sent, until } = handlerOf(open(temporaryFile()), () =>
    Promise.reject(new Error('injected')),
  );
  handler.take({ ...sendOf('a', 1), attachments: [{ attachment_id: 'gone' }] });
  await until(1);
  expect(sent).toMatchObject([
    { result: 'failed', error: { message: expect.stringContaining('takes no files') } },
  ]);
});

test('locks the file for one process', () => {
  const path = temporaryFile();
  open(path);
  expect(() => openStateFile(path, () => NOW)).toThrow(`Another proxy uses ${path}.`);
});
