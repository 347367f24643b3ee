import { join } from 'node:path';
import type { EventPage, Ledger } from '@drawbridge/ledger';
import { ledgerFolder, openForTest } from '@drawbridge/ledger/test/sqlite/sqlite-harness';
import { CHAT_FRAMES, chat, LIMITS } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { AT, createCoreHarness, sendOf } from '../../test/core/core-harness.ts';

const observed = (message_id: string, content: string) =>
  ({
    type: 'proxy_message',
    session_id: 's1',
    message: { message_id, role: 'assistant', content, created_at: AT },
  }) as const;

test('[CHT-156] [CHT-164] [CHT-167] [CHT-177] a snapshot has each message once, in its latest form, at its first position', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  phone.send(sendOf('m1'));
  await laptop.next('send_message');
  await phone.next('message_event');
  for (const [id, content] of [
    ['a1', 'one'],
    ['a2', 'two'],
    ['a1', 'changed one'],
    ['a3', 'three'],
  ] as const) {
    laptop.send(observed(id, content));
    await phone.next('message_event');
  }
  phone.send({ type: 'history_request', session_id: 's1' });
  const whole = await phone.next('history_snapshot');
  expect(whole).toMatchObject({
    last_sequence: 7,
    messages: [
      { message_id: 'm1', client_message_id: 'm1', status: 'accepted' },
      { message_id: 'a1', content: 'changed one' },
      { message_id: 'a2' },
      { message_id: 'a3' },
    ],
  });
  expect(whole).not.toHaveProperty('before_sequence');
  phone.send({ type: 'history_request', session_id: 's1', limit: 2 });
  const newest = await phone.next('history_snapshot');
  expect(newest.messages.map(({ message_id }) => message_id)).toEqual(['a1', 'a3']);
  expect(newest.before_sequence).toBe(6);
  phone.send({ type: 'history_request', session_id: 's1', before_sequence: 6, limit: 2 });
  const older = await phone.next('history_snapshot');
  expect(older.messages).toMatchObject([{ message_id: 'a1', content: 'changed one' }, { message_id: 'a2' }]);
});

test('[CHT-168] [CHT-171] [CHT-178] [CHT-179] judges each cursor and answers with a delta, a snapshot or a refusal', async () => {
  const { browser, proxy, ledger } = await createCoreHarness();
  await proxy();
  const phone = await browser();
  phone.send(sendOf('m1'));
  await phone.next('message_event');
  const ask = (more: object) =>
    phone.send({ type: 'history_request', session_id: 's1', request_id: 'r1', ...more });
  ask({ after_sequence: 1 });
  const delta = await phone.next('history_delta');
  expect(delta).toMatchObject({ from_sequence: 1, last_sequence: 3, epoch: ledger.epoch });
  expect(delta.events.map(({ type }) => type)).toEqual(['message_accepted', 'message_event']);
  ask({ after_sequence: 4 });
  expect(await phone.next('connection_error')).toMatchObject({
    code: 'resume_cursor_invalid',
    request_id: 'r1',
  });
  await phone.next('history_snapshot');
  ask({ session_id: 'none' });
  expect(await phone.next('connection_error')).toMatchObject({ code: 'session_unknown' });
  await ledger.commit([{ do: 'prune_events', session_id: 's1', through: 3, limit: 10 }]);
  ask({});
  expect(await phone.next('connection_error')).toMatchObject({
    code: 'history_not_available',
    session_id: 's1',
  });
  ask({ after_sequence: 3 });
  expect(await phone.next('history_delta')).toMatchObject({ events: [] });
  expect(phone.sendClasses[phone.frames.indexOf(delta)]).toBe('history');
});

test('[CHT-270] [CHT-271] splits history that is larger than a frame into parts that fit and leave nothing out', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  const long = '\u0001x'.repeat(60_000);
  for (let each = 0; each < 5; each++) {
    laptop.send(observed(`a${each}`, `${each}${long}`));
    await phone.next('message_event');
  }
  phone.send({ type: 'history_request', session_id: 's1', after_sequence: 0 });
  const parts = [await phone.next('history_delta')];
  for (let last = parts[0]; last !== undefined && last.last_sequence < 6; last = parts.at(-1)) {
    parts.push(await phone.next('history_delta'));
  }
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.flatMap(({ events }) => events.map(({ sequence }) => sequence))).toEqual([1, 2, 3, 4, 5, 6]);
  parts.slice(1).forEach((part, index) => {
    expect(part.from_sequence).toBe(parts[index]?.last_sequence);
  });
  const ids: string[] = [];
  for (let before: number | undefined; ; ) {
    phone.send({ type: 'history_request', session_id: 's1', ...(before && { before_sequence: before }) });
    const page = await phone.next('history_snapshot');
    ids.unshift(...page.messages.map(({ message_id }) => message_id));
    before = page.before_sequence;
    if (before === undefined) break;
  }
  expect(ids).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  for (const frame of phone.frames)
    expect(JSON.stringify(frame).length).toBeLessThanOrEqual(LIMITS.frame.value);
});

test('[CHT-255] [CHT-256] [CHT-258] [CHT-272] sends a question to peers with the questions feature and a status to others; the answer goes back', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy(['s1'], 'laptop', { features: ['questions'] });
  const knows = await browser('knows', { features: ['questions'] });
  const plain = await browser('plain');
  laptop.send({ type: 'agent_question', session_id: 's1', question_id: 'q1', text: 'Which?' });
  const question = await knows.next('agent_question');
  const status = await plain.next('session_status');
  expect(status).toMatchObject({ activity: { kind: 'waiting_for_user' }, event_id: question.event_id });
  const answer = { session_id: 's1', question_id: 'q1', answer: 'accept', request_id: 'r1' } as const;
  knows.send({ type: 'agent_answer', ...answer });
  expect(await laptop.next('agent_answer')).toMatchObject(answer);
  expect(Object.keys(CHAT_FRAMES)).toContain(chat.kindOf(question));
});

test('history is read one page at a time for all sockets of a device', async () => {
  const folder = join(await ledgerFolder(), 'ledger.db');
  const store = await openForTest({ path: folder });
  let under = 0;
  let most = 0;
  let longest = 0;
  const counted = async (read: () => Promise<EventPage | undefined>) => {
    under += 1;
    most = Math.max(most, under);
    const page = await read();
    under -= 1;
    const sizes = (page?.events ?? []).map(({ payload }) => JSON.stringify(payload).length);
    longest = Math.max(
      longest,
      sizes.slice(0, -1).reduce((sum, size) => sum + size, 0),
    );
    return page;
  };
  const ledger: Ledger = {
    ...store,
    eventsAfter: (session_id, sequence, limit, maxChars) => {
      const read = () => store.eventsAfter(session_id, sequence, limit, maxChars);
      return limit === 0 ? read() : counted(read);
    },
    transcriptBefore: (...asked) => counted(() => store.transcriptBefore(...asked)),
  };
  const { browser, proxy } = await createCoreHarness({ ledger });
  const laptop = await proxy();
  const sockets = await Promise.all(Array.from({ length: 8 }, () => browser()));
  const [first] = sockets;
  for (let each = 0; each < 13; each += 1) {
    laptop.send(observed(`a${each}`, 'y'.repeat(200_000)));
    await first?.next('message_event');
  }
  await Promise.all(sockets.map((socket) => socket.settled()));
  most = 0;
  for (const [at, socket] of sockets.entries()) {
    const cursor = at % 2 === 0 ? {} : { after_sequence: 0 };
    for (let times = 0; times < 3; times += 1)
      socket.send({ type: 'history_request', session_id: 's1', ...cursor });
  }
  await Promise.all(sockets.map((socket) => socket.settled()));
  expect(most).toBe(1);
  expect(longest).toBeLessThanOrEqual(524_288);
  expect(sockets[1]?.of('history_delta').at(-1)?.last_sequence).toBe(14);
});
