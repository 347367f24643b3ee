import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatLink, ChatState, Outgoing as Frame } from '@drawbridge/link/chat';
import { BridgeError } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { Outgoing } from './outgoing.ts';
import { openStateFile } from './state-file.ts';

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'outgoing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'proxy.db');
}

const messageOf = (message_id: string, content: string): Frame => ({
  type: 'proxy_message',
  session_id: 's',
  message: { message_id, role: 'assistant', content, created_at: '2026-01-01T00:00:00.000Z' },
});
const wordsOf = (frame: Frame): string =>
  frame.type === 'proxy_message' ? `${frame.message.message_id} ${frame.message.content}` : frame.type;

interface BenchOptions {
  readonly path?: string;
  readonly maxChars?: number;
}

/** The queue on a real state file; a second one on the same path is the process after a kill. */
function bench({ path = temporaryFile(), ...limits }: BenchOptions = {}) {
  const state = openStateFile(path, () => 0);
  onTestFinished(state.close);
  const receipts: string[] = [];
  const holds: boolean[] = [];
  let ids = 0;
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
      if (frame.type === 'heartbeat') receipts.push(frame.request_id ?? '');
      else sent.push(wordsOf(frame));
    },
  };
  const out = new Outgoing({
    ...limits,
    link,
    outbox: state.outbox,
    newId: () => {
      ids += 1;
      return `receipt ${ids}`;
    },
    onFull: (isFull) => holds.push(isFull),
    after: (ms, run) => {
      const handle = clock.setTimeout(run, ms);
      return () => clock.clearTimeout(handle);
    },
    hello: () => [{ type: 'proxy_session_snapshot', sessions: [] }],
    onLost: (frame) => lost.push(wordsOf(frame)),
  });
  return {
    out,
    path,
    holds,
    /** A chunk was read. */
    draft: (message_id: string, content: string): void => {
      const frame = messageOf(message_id, content);
      if (frame.type === 'proxy_message') state.outbox.draft(frame);
    },
    /** The relay answers the latest heartbeat. */
    confirm: () => out.confirmed(receipts.at(-1)),
    /** As kill -9 does: nothing more is written. */
    kill: state.close,
    sent,
    lost,
    clock,
    open: (features = ['stored']) => tellState({ kind: 'open', features }),
    break: () => tellState({ kind: 'connecting', attempt: 2 }),
    slow: (is: boolean) => {
      isSlow = is;
    },
  };
}

test('queues frames while disconnected, and sends the newest form of each message after the handshake', () => {
  const { out, sent, open } = bench();
  out.send(messageOf('a', 'one'));
  out.send({ type: 'proxy_status', session_id: 's', status: 'healthy' });
  out.send(messageOf('b', 'two'));
  out.send(messageOf('a', 'one and more'));
  open();
  expect(sent).toEqual(['proxy_session_snapshot', 'a one and more', 'b two']);
});

test('repeats the latest unacknowledged messages after a reconnect', () => {
  const { out, sent, open, break: lose } = bench();
  open();
  out.send(messageOf('a', 'one'));
  lose();
  out.send(messageOf('b', 'two'));
  open();
  expect(sent).toEqual(['proxy_session_snapshot', 'a one', 'proxy_session_snapshot', 'a one', 'b two']);
});

test('waits for a slow relay, and reports a frame that is too large', async () => {
  const { out, sent, lost, open, slow, clock } = bench();
  open();
  slow(true);
  out.send(messageOf('a', 'one'));
  out.send(messageOf('b', 'huge'));
  out.send(messageOf('c', 'three'));
  slow(false);
  await clock.advance(1_000);
  expect(sent).toEqual(['proxy_session_snapshot', 'a one', 'c three']);
  expect(lost).toEqual(['b huge']);
});

test('[CHT-303] repeats every unconfirmed message after a reconnect, however many, and the last confirmed one', () => {
  const { out, sent, open, confirm, break: lose } = bench();
  open();
  for (const id of ['stored', 'last']) out.send(messageOf(id, 'one'));
  confirm();
  confirm();
  lose();
  const ids = Array.from({ length: 500 }, (_, index) => `m${index}`);
  for (const id of ids) out.send(messageOf(id, 'text'));
  sent.length = 0;
  open();
  while (sent.length < ids.length + 2) confirm();
  expect(sent).toEqual(['proxy_session_snapshot', 'last one', ...ids.map((id) => `${id} text`)]);
});

test('[CHT-303] drafts survive a kill with every chunk, and no stored or torn one replaces what is known', () => {
  const { path, kill, draft, out, clock } = bench();
  draft('a', 'one');
  draft('b', 'two');
  draft('a', 'one two');
  draft('c', 'three');
  out.send(messageOf('b', 'two and more'));
  out.send(messageOf('c', 'thr'));
  clock.advance(1);
  draft('d', 'four');
  kill();
  appendFileSync(`${path}.drafts`, '{"draft":4,"te');
  const next = bench({ path });
  next.open();
  expect(next.sent.toSorted()).toEqual([
    'a one two',
    'b two and more',
    'c three',
    'd four',
    'proxy_session_snapshot',
  ]);
  next.kill();
  expect(readFileSync(`${path}.drafts`, 'utf8')).toBe('');
});

test('repeats the latest messages to a relay that gives no receipts, and waits for none', () => {
  const { out, sent, open, break: lose } = bench();
  open([]);
  for (let index = 0; index < 500; index += 1) out.send(messageOf(`m${index}`, 'text'));
  expect(sent).toHaveLength(501);
  lose();
  open([]);
  expect(sent.slice(501)).toHaveLength(129);
  expect(sent.at(-1)).toBe('m499 text');
});

test('[CHT-303] a killed proxy sends unconfirmed messages after its restart, in their latest version', () => {
  const before = bench();
  before.open();
  before.out.send(messageOf('stored', 'one'));
  before.clock.advance(1);
  before.confirm();
  before.out.send(messageOf('a', 'one'));
  before.out.send(messageOf('b', 'two'));
  before.out.send(messageOf('a', 'one and more'));
  before.clock.advance(1);
  before.kill();
  const after = bench({ path: before.path });
  after.open();
  expect(after.sent).toEqual(['proxy_session_snapshot', 'stored one', 'a one and more', 'b two']);
  after.confirm();
  after.kill();
  const last = bench({ path: before.path });
  last.open();
  expect(last.sent).toEqual(['proxy_session_snapshot', 'b two']);
});

test('a tool call that was running when the proxy was killed reads stopped after the restart', () => {
  const first = bench();
  const call = (status: string, message_id = 'call'): Frame => ({
    ...{ type: 'proxy_message', session_id: 's' },
    message: {
      ...{
        message_id,
        role: 'assistant',
        content: `npm test (${status})`,
        created_at: '2026-01-01T00:00:00.000Z',
      },
      metadata: { details: { kind: 'tool_call', tool_call_id: 'c', title: 'npm test', status } },
    },
  });
  first.open();
  first.out.send(call('completed', 'earlier'));
  first.out.send(call('running'));
  first.out.send(messageOf('words', 'Testing.'));
  first.clock.advance(1);
  first.confirm();
  first.out.send(call('pending', 'next'));
  // Killed before anything else happens: it is on the disk when it is sent.
  first.kill();
  const second = bench({ path: first.path });
  second.open();
  expect(second.sent).toContain('call npm test (stopped)');
  expect(second.sent).toContain('next npm test (stopped)');
  second.confirm();
  second.kill();
  const third = bench({ path: first.path });
  third.open();
  expect(third.sent.filter((words) => words.startsWith('call'))).toEqual([]);
});

test('[CHT-303] sends a message again that the relay could not store, after the time that it named', () => {
  const { out, sent, open, confirm, clock } = bench();
  open();
  out.send(messageOf('a', 'one'));
  out.refused('s', 1_000);
  confirm();
  sent.length = 0;
  clock.advance(1_000);
  expect(sent).toEqual(['proxy_session_snapshot', 'a one']);
  confirm();
  clock.advance(10_000);
  expect(sent).toHaveLength(2);
});

test('sends at most 1 MiB ahead of the confirmation', () => {
  const { out, sent, open, confirm } = bench();
  open();
  for (let index = 0; index < 8; index += 1) out.send(messageOf(`m${index}`, 'x'.repeat(400_000)));
  expect(sent).toHaveLength(4);
  confirm();
  expect(sent.length).toBeLessThan(9);
  while (sent.length < 9) confirm();
  expect(sent.at(-1)).toMatch(/^m7/);
});

test('holds the agents when much is unconfirmed, and reports messages that it must drop', () => {
  const { out, lost, holds, open, confirm } = bench({ maxChars: 1_000 });
  for (const id of ['a', 'b', 'c']) out.send(messageOf(id, 'x'.repeat(300)));
  expect([holds, lost]).toEqual([[true], []]);
  out.send(messageOf('d', 'x'.repeat(300)));
  expect(lost).toEqual([`a ${'x'.repeat(300)}`]);
  open();
  confirm();
  expect(holds).toEqual([true, false]);
});
