import { expect, test } from 'vitest';
import { sequences, setUpChat } from '../../test/chat/chat-bench.ts';
import { AT } from '../../test/chat/model-relay.ts';
import { historyPages } from './history-pages.ts';

const asked = (relay: ReturnType<typeof setUpChat>['relay']) =>
  relay.received.flatMap((frame) => (frame.type === 'history_request' ? [frame] : []));

test('[CHT-174] [CHT-175] sends epoch and cursors in the hello after a break, and reports ok', async () => {
  const { connect, settle, relay, reconnect, dials, pairs } = setUpChat();
  const { link, heard } = connect();
  await settle();
  relay.appendMessage('a', 'one');
  relay.appendMessage('b', 'one');
  relay.appendMessage('a', 'two');
  await settle();
  dials.opens = false;
  pairs[0]?.cut();
  await settle();
  relay.appendMessage('a', 'three');
  relay.appendMessage('a', 'four');
  dials.opens = true;
  await reconnect();
  expect(relay.hellos[1]?.resume).toEqual({
    epoch: 'epoch_1',
    sessions: [
      { session_id: 'b', last_sequence: 1 },
      { session_id: 'a', last_sequence: 2 },
    ],
  });
  expect(heard.resumed).toEqual([
    { session_id: 'b', result: 'ok' },
    { session_id: 'a', result: 'ok' },
  ]);
  expect(sequences(heard, 'a')).toEqual([1, 2, 3, 4]);
  expect(link.resumePoint).toEqual({
    epoch: 'epoch_1',
    sessions: [
      { session_id: 'b', last_sequence: 1 },
      { session_id: 'a', last_sequence: 4 },
    ],
  });
  expect(asked(relay)).toEqual([]);
});

test('[CHT-175] reports a gap, then the snapshot, then later events', async () => {
  const { connect, settle, relay, reconnect } = setUpChat();
  const { heard } = connect();
  await settle();
  for (const content of ['one', 'two', 'three']) relay.appendMessage('a', content);
  await settle();
  relay.oldest = 5;
  relay.log('a').push(...relay.log('a').map((event) => ({ ...event, sequence: event.sequence + 3 })));
  await reconnect();
  relay.appendMessage('a', 'seven');
  await settle();
  expect(heard.resumed).toEqual([{ session_id: 'a', result: 'gap' }]);
  expect(heard.log).toEqual(['a 1', 'a 2', 'a 3', 'a snapshot 6', 'a 7']);
});

test('[CHT-174] reports a gap for every session of another ledger, and keeps its first events', async () => {
  const { connect, settle, relay, reconnect } = setUpChat();
  const { heard, link } = connect();
  await settle();
  for (let n = 0; n < 5; n++) relay.appendMessage('a', `old ${n}`);
  await settle();
  relay.forgetAll('epoch_2');
  relay.appendMessage('a', 'new 1');
  await reconnect();
  relay.appendMessage('a', 'new 2');
  await settle();
  expect(heard.resumed).toEqual([{ session_id: 'a', result: 'gap' }]);
  expect(heard.log.slice(5)).toEqual(['a snapshot 1', 'a 2']);
  expect(link.resumePoint).toEqual({ epoch: 'epoch_2', sessions: [{ session_id: 'a', last_sequence: 2 }] });
});

test('[CHT-174] drops events held behind a gap of the old ledger', async () => {
  const { connect, settle, relay, reconnect, pairs } = setUpChat();
  const { heard } = connect();
  await settle();
  relay.appendMessage('a', 'one');
  await settle();
  pairs[0]?.dropNext('b', 1);
  relay.appendMessage('a', 'lost');
  relay.appendMessage('a', 'held');
  pairs[0]?.dropNext('b', 1);
  await settle();
  relay.forgetAll('epoch_2');
  relay.appendMessage('a', 'new 1');
  await reconnect();
  relay.appendMessage('a', 'new 2');
  relay.appendMessage('a', 'new 3');
  await settle();
  expect(heard.log).toEqual(['a 1', 'a snapshot 1', 'a 2', 'a 3']);
  expect(heard.events.at(-1)).toMatchObject({ message: { content: 'new 3' } });
});

test('[CHT-173] sends a resume point without an epoch as it is', async () => {
  const { connect, settle, relay } = setUpChat();
  for (let n = 0; n < 4; n++) relay.appendMessage('a', `${n}`);
  const { heard } = connect({ resume: { sessions: [{ session_id: 'a', last_sequence: 2 }] } });
  await settle();
  expect(relay.hellos[0]?.resume).toEqual({ sessions: [{ session_id: 'a', last_sequence: 2 }] });
  expect(sequences(heard, 'a')).toEqual([3, 4]);
});

test('[CHT-271] joins a delta in several frames', async () => {
  const { connect, settle, relay, reconnect, pairs, dials } = setUpChat({ deltaEvents: 3 });
  const { heard } = connect();
  await settle();
  relay.appendMessage('a', 'first');
  await settle();
  dials.opens = false;
  pairs[0]?.cut();
  await settle();
  for (let n = 0; n < 10; n++) relay.appendMessage('a', `${n}`);
  dials.opens = true;
  await reconnect();
  expect(sequences(heard, 'a')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(asked(relay)).toEqual([]);
});

test('[CHT-176] fills a gap before it continues, and drops repeats', async () => {
  const { connect, settle, relay, pairs } = setUpChat();
  const { heard } = connect();
  await settle();
  relay.appendMessage('a', 'one');
  pairs[0]?.dropNext('b', 2);
  for (let n = 2; n < 6; n++) relay.appendMessage('a', `${n}`);
  pairs[0]?.duplicateNext('b', 2);
  relay.appendMessage('a', 'six');
  relay.appendMessage('b', 'of another session');
  await settle();
  expect(sequences(heard, 'a')).toEqual([1, 2, 3, 4, 5, 6]);
  expect(sequences(heard, 'b')).toEqual([1]);
  expect(asked(relay)).toMatchObject([{ session_id: 'a', after_sequence: 1, epoch: 'epoch_1' }]);
});

test('does not count repeats towards held events', async () => {
  const { connect, settle, relay } = setUpChat();
  const { heard } = connect();
  await settle();
  for (let n = 0; n < 3; n++) relay.appendMessage('a', `${n}`);
  await settle();
  const [first] = relay.log('a');
  if (first?.type !== 'message_event') throw new Error('The first event is no message.');
  for (let sequence = -1_500; sequence < 0; sequence++) {
    relay.broadcast({ ...first, protocol_version: 1, sequence: 3 + Math.floor(sequence / 501) });
  }
  relay.appendMessage('a', 'four');
  await settle();
  expect(sequences(heard, 'a')).toEqual([1, 2, 3, 4]);
  expect(asked(relay)).toEqual([]);
});

test('reports a gap for lost events, and takes the snapshot in their place', async () => {
  const { connect, settle, relay, pairs } = setUpChat();
  const { heard } = connect();
  await settle();
  relay.appendMessage('a', 'one');
  pairs[0]?.dropNext('b', 2);
  for (let n = 2; n < 5; n++) relay.appendMessage('a', `${n}`);
  relay.oldest = 3;
  await settle();
  relay.appendMessage('a', 'five');
  await settle();
  expect(heard.resumed).toEqual([{ session_id: 'a', result: 'gap' }]);
  expect(heard.log).toEqual(['a 1', 'a snapshot 4', 'a 5']);
});

test('skips numbers that do not exist, as an unmodified relay may leave out', async () => {
  const { connect, settle, relay, pairs } = setUpChat();
  const { heard } = connect();
  await settle();
  relay.appendMessage('a', 'one');
  await settle();
  const say = (sequence: number) => {
    const message = { message_id: `m${sequence}`, role: 'assistant', content: 'x', created_at: AT };
    relay.broadcast({
      type: 'message_event',
      protocol_version: 1,
      event_id: `e${sequence}`,
      sequence,
      session_id: 'a',
      message,
    });
  };
  say(5);
  await settle();
  expect(sequences(heard, 'a')).toEqual([1, 5]);
  expect(heard.resumed).toEqual([{ session_id: 'a', result: 'gap' }]);
  say(6);
  await settle();
  expect(sequences(heard, 'a')).toEqual([1, 5, 6]);
  expect(pairs).toHaveLength(1);
});

test('reconnects when a history does not come, and resumes', async () => {
  const { connect, settle, relay, pairs, pass } = setUpChat();
  const { heard } = connect();
  await settle();
  relay.appendMessage('a', 'one');
  pairs[0]?.dropNext('b', 1);
  relay.appendMessage('a', 'lost');
  relay.appendMessage('a', 'three');
  pairs[0]?.step();
  pairs[0]?.dropNext('b', 1);
  await settle();
  expect(sequences(heard, 'a')).toEqual([1]);
  await pass(25_000);
  expect(pairs).toHaveLength(2);
  expect(sequences(heard, 'a')).toEqual([1, 2, 3]);
  expect(heard.states).toContainEqual(
    expect.objectContaining({
      error: expect.objectContaining({ evidence: { reason: 'history_overdue', session_id: 'a' } }),
    }),
  );
});

test('requests each session from a relay that ignores a resume', async () => {
  const { connect, settle, relay, pairs, dials } = setUpChat();
  dials.answered = false;
  const { heard } = connect({
    resume: {
      epoch: 'epoch_1',
      sessions: ['kept', 'gone', 'unknown'].map((session_id) => ({ session_id, last_sequence: 1 })),
    },
  });
  await settle();
  const [, peer] = [pairs[0]?.step(), pairs[0]?.b];
  const requests: Array<{ session_id: string; request_id: string }> = [];
  peer?.onMessage((text) => {
    const frame = JSON.parse(text);
    if (frame.type === 'history_request') requests.push(frame);
  });
  const say = (frame: object) => peer?.send(JSON.stringify({ protocol_version: 1, ...frame }));
  say({
    type: 'connection_ack',
    connection_id: 'c',
    server_ts: AT,
    heartbeat_interval_ms: 1e4,
    heartbeat_timeout_ms: 3e4,
  });
  await settle();
  expect(requests.map(({ session_id }) => session_id)).toEqual(['kept', 'gone', 'unknown']);
  expect(heard.resumed).toEqual([]);
  say({ type: 'history_delta', session_id: 'kept', from_sequence: 1, last_sequence: 1, events: [] });
  say({ type: 'history_snapshot', session_id: 'gone', last_sequence: 9, messages: [] });
  const { request_id } = requests[2] ?? {};
  say({
    type: 'connection_error',
    code: 'session_unknown',
    message: 'No.',
    session_id: 'unknown',
    request_id,
  });
  await settle();
  expect(heard.resumed).toEqual([
    { session_id: 'kept', result: 'ok' },
    { session_id: 'gone', result: 'gap' },
    { session_id: 'unknown', result: 'gap' },
  ]);
  expect(relay.received).toEqual([]);
});

test('resumes the latest sessions when there are too many for a hello, and reports others as gaps', async () => {
  const { connect, settle, relay } = setUpChat();
  const sessions = Array.from({ length: 1_002 }, (_, n) => ({ session_id: `s${n}`, last_sequence: 0 }));
  const { heard } = connect({ resume: { epoch: 'epoch_1', sessions } });
  await settle();
  expect(relay.hellos[0]?.resume?.sessions).toHaveLength(1_000);
  expect(heard.resumed.filter(({ result }) => result === 'gap')).toEqual([
    { session_id: 's0', result: 'gap' },
    { session_id: 's1', result: 'gap' },
  ]);
});

test('reports events that overtake a requested snapshot after it', async () => {
  const { connect, settle, relay, pairs } = setUpChat();
  const { link, heard } = connect();
  await settle();
  relay.log('a').push(...Array.from({ length: 3 }, (_, n) => eventOf('a', n + 1)));
  const answer = link.request({ type: 'history_request', session_id: 'a' });
  relay.appendMessage('a', 'four');
  expect(pairs[0]?.pending()).toBe(2);
  await settle();
  expect(await answer).toMatchObject({ type: 'history_snapshot', last_sequence: 4 });
  relay.appendMessage('a', 'five');
  await settle();
  expect(heard.log).toEqual(['a snapshot 4', 'a 4', 'a 5']);
});

test('does not hold events after a refused snapshot', async () => {
  const { connect, settle, relay, pairs } = setUpChat();
  const { link, heard } = connect();
  await settle();
  pairs[0]?.dropNext('a');
  const answer = link.request({ type: 'history_request', session_id: 'a', request_id: 'r1' });
  const refused = expect(answer).rejects.toMatchObject({
    name: 'ChatRefusal',
    code: 'history_not_available',
  });
  relay.appendMessage('a', 'one');
  await settle();
  expect(heard.log).toEqual([]);
  relay.broadcast({
    type: 'connection_error',
    protocol_version: 1,
    session_id: 'a',
    code: 'history_not_available',
    message: 'No.',
    request_id: 'r1',
  });
  await settle();
  await refused;
  expect(heard.log).toEqual(['a 1']);
  expect(heard.resumed).toEqual([]);
});

test("keeps the connection during a caller's long wait for a snapshot", async () => {
  const { connect, settle, pass, pairs } = setUpChat();
  const { link } = connect({
    resume: { epoch: 'epoch_1', sessions: [{ session_id: 'b', last_sequence: 0 }] },
  });
  await settle();
  pairs[0]?.dropNext('a', 1);
  const answer = link.request({ type: 'history_request', session_id: 'a' }, { timeoutMs: 60_000 });
  const late = expect(answer).rejects.toMatchObject({ evidence: { reason: 'request_timeout' } });
  await pass(61_000);
  await late;
  expect(pairs).toHaveLength(1);
});

test('[CHT-270] requests older pages with before_sequence until there are none', async () => {
  const { connect, settle, relay } = setUpChat({ pageMessages: 2 });
  const { link } = connect();
  await settle();
  for (let n = 1; n <= 5; n++) relay.appendMessage('a', `${n}`);
  await settle();
  const contents: string[][] = [];
  const reading = (async () => {
    for await (const page of historyPages(link, 'a'))
      contents.push(page.messages.map(({ content }) => content));
  })();
  for (let round = 0; round < 4; round++) await settle();
  await reading;
  expect(contents).toEqual([['4', '5'], ['2', '3'], ['1']]);
  expect(asked(relay).map(({ before_sequence }) => before_sequence)).toEqual([undefined, 4, 2]);
});

function eventOf(session_id: string, sequence: number) {
  const message = { message_id: `m${sequence}`, role: 'assistant', content: `${sequence}`, created_at: AT };
  return { type: 'message_event', event_id: `e${sequence}`, sequence, session_id, message } as const;
}

const stored = (sequence: number, content: string) => ({
  ...({
    type: 'message_event',
    protocol_version: 1,
    session_id: 'a',
    event_id: `e${sequence}`,
    sequence,
  } as const),
  message: { message_id: 'm', role: 'assistant', content, created_at: AT },
});
const texts = (heard: ReturnType<ReturnType<typeof setUpChat>['connect']>['heard']) =>
  heard.events.flatMap((event) =>
    event.type === 'message_event' ? [[event.sequence, event.message.content, 'offset' in event]] : [],
  );

test('[CHT-298] gives the whole text of an event that continues appends', async () => {
  const { connect, settle, relay } = setUpChat();
  const { heard } = connect({ features: ['appends'] });
  await settle();
  expect(relay.hellos[0]?.features).toContain('continued');
  relay.broadcast(stored(1, 'One'));
  const append = { type: 'message_append', protocol_version: 1, session_id: 'a', message_id: 'm' } as const;
  relay.broadcast({ ...append, offset: 3, text: ', two' });
  relay.broadcast({ ...stored(2, ', three'), offset: 8 });
  relay.broadcast({ ...stored(3, ', four'), offset: 15 });
  await settle();
  expect(texts(heard)).toEqual([
    [1, 'One', false],
    [2, 'One, two, three', false],
    [3, 'One, two, three, four', false],
  ]);
  expect(asked(relay)).toEqual([]);
});

test('[CHT-298] asks for the whole of an event that continues a text it does not have', async () => {
  const { connect, settle, relay } = setUpChat();
  const { heard } = connect({ features: ['appends'] });
  await settle();
  relay.broadcast(stored(1, 'One'));
  relay.log('a').push(stored(1, 'One'), stored(2, 'One, two, three'));
  relay.broadcast({ ...stored(2, ', three'), offset: 8 });
  await settle();
  expect(asked(relay)).toMatchObject([{ session_id: 'a', after_sequence: 1 }]);
  expect(texts(heard)).toEqual([
    [1, 'One', false],
    [2, 'One, two, three', false],
  ]);
});
