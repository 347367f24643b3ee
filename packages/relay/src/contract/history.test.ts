import { describe, expect, test } from 'vitest';
import { marked, useRelay } from '../../test/contract/contract-harness.ts';
import { contentOf, deliveredOf, historyOf, promptOf, sendOf } from '../../test/contract/frames.ts';

const harness = useRelay();

/** A session with a conversation: its proxy's messages, and its last sequence. */
async function talk(...texts: readonly string[]) {
  const openSession = await harness.session();
  const { session_id, person, proxy } = openSession;
  let last = 1;
  for (const text of texts) {
    proxy.send(contentOf(session_id, text));
    last = (await person.next('message_event', { message: { content: text } })).sequence;
  }
  return { ...openSession, last };
}

const epochOf = () => harness.relay.ledger.epoch;

describe('history_request', () => {
  test('[CHT-167] without a cursor gets the whole transcript, up to the latest sequence', async () => {
    const { session_id, person, last } = await talk('one', 'two', 'three');
    person.send(historyOf(session_id, { request_id: 'r1' }));
    const { messages, ...snapshot } = await person.next('history_snapshot');
    expect(snapshot).toMatchObject({ session_id, last_sequence: last });
    expect(messages.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
    expect(snapshot).not.toHaveProperty('before_sequence');
  });

  test('[CHT-168] with a cursor gets the events after it, in order', async () => {
    const { session_id, person, last } = await talk('one', 'two', 'three');
    person.send(historyOf(session_id, { after_sequence: last - 2 }));
    const { events, ...delta } = await person.next('history_delta');
    expect(delta).toMatchObject({ session_id, from_sequence: last - 2, last_sequence: last });
    expect(events.map(({ sequence }) => sequence)).toEqual([last - 1, last]);
  });

  test('[CHT-169] a delta has events of every kind, as they were broadcast, and leaves none out', async () => {
    const openSession = await talk('one');
    const { session_id, person, proxy } = openSession;
    person.send(sendOf(session_id, 'c1'));
    await proxy.next('send_message');
    proxy.send(deliveredOf(session_id, 'c1'));
    proxy.send(promptOf(session_id, 'p1'));
    await person.next('permission_prompt');
    await marked(openSession);
    person.send(historyOf(session_id, { after_sequence: 0 }));
    const { events, last_sequence } = await person.next('history_delta');
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.length).toBe(last_sequence);
    const live = person.frames.filter((frame) => 'sequence' in frame && frame.event_id !== undefined);
    expect(events).toMatchObject(live.map(({ protocol_version: _, ...event }) => event));
  });

  test('[CHT-170] at the latest sequence gets no events', async () => {
    const { session_id, person, last } = await talk('one');
    person.send(historyOf(session_id, { after_sequence: last }));
    expect(await person.next('history_delta')).toMatchObject({
      from_sequence: last,
      last_sequence: last,
      events: [],
    });
  });

  test.each([
    ['beyond the latest sequence', { after_sequence: 1_000 }],
    ['from another epoch', { after_sequence: 1, epoch: 'another' }],
  ])('[CHT-171] %s gets an error and then a snapshot', async (_, cursor) => {
    const { session_id, person } = await talk('one');
    person.send(historyOf(session_id, { ...cursor, request_id: 'r1' }));
    expect(await person.next('connection_error')).toMatchObject({
      code: 'resume_cursor_invalid',
      session_id,
      request_id: 'r1',
    });
    expect((await person.next('history_snapshot')).messages).toHaveLength(1);
    const [error, snapshot] = person.frames.slice(-2);
    expect([error?.type, snapshot?.type]).toEqual(['connection_error', 'history_snapshot']);
  });

  test('[CHT-172] before the oldest stored event gets a snapshot, and no error', async () => {
    const { session_id, person, last } = await talk('one', 'two', 'three');
    await harness.relay.ledger.commit([{ do: 'prune_events', session_id, through: last - 1, limit: 100 }]);
    person.send(historyOf(session_id, { after_sequence: 1 }));
    const { messages, last_sequence } = await person.next('history_snapshot');
    expect(last_sequence).toBe(last);
    expect(messages.map(({ content }) => content)).toEqual(['three']);
    expect(person.all('connection_error')).toEqual([]);
    person.send(historyOf(session_id, { after_sequence: last - 1 }));
    expect((await person.next('history_delta')).events).toHaveLength(1);
  });

  test('[CHT-173] a cursor without an epoch counts as this ledger’s', async () => {
    const { session_id, person, last } = await talk('one');
    for (const epoch of [undefined, epochOf()]) {
      person.send(historyOf(session_id, { after_sequence: last - 1, epoch }));
      expect((await person.next('history_delta')).events).toHaveLength(1);
    }
  });

  test('[CHT-174] the epoch is in the ack and in every history, and survives a restart', async () => {
    const { session_id, person } = await talk('one');
    const epoch = epochOf();
    person.send(historyOf(session_id));
    person.send(historyOf(session_id, { after_sequence: 0 }));
    expect(person.all('connection_ack')).toMatchObject([{ epoch }]);
    expect(await person.next('history_snapshot')).toMatchObject({ epoch });
    expect(await person.next('history_delta')).toMatchObject({ epoch });
    await harness.restart();
    expect((await harness.connect('person')).all('connection_ack')).toMatchObject([{ epoch }]);
  });

  test('[CHT-177] limit and before_sequence narrow it to the newest messages before', async () => {
    const { session_id, person, last } = await talk('one', 'two', 'three', 'four');
    const contents = async (more: object) => {
      person.send(historyOf(session_id, { ...more }));
      const { messages, last_sequence } = await person.next('history_snapshot');
      expect(last_sequence).toBe(last);
      return messages.map(({ content }) => content);
    };
    expect(await contents({ limit: 2 })).toEqual(['three', 'four']);
    expect(await contents({ before_sequence: last - 1 })).toEqual(['one', 'two']);
    expect(await contents({ before_sequence: last, limit: 1 })).toEqual(['three']);
  });

  test('[CHT-178] fails for an unknown session', async () => {
    const person = await harness.connect('person');
    person.send(historyOf('nobody', { request_id: 'r1' }));
    expect(await person.next('connection_error')).toMatchObject({
      code: 'session_unknown',
      session_id: 'nobody',
      request_id: 'r1',
    });
  });

  test('[CHT-179] fails for a session whose history was deleted', async () => {
    const { session_id, person, last } = await talk('one');
    await harness.relay.ledger.commit([{ do: 'prune_events', session_id, through: last, limit: 100 }]);
    person.send(historyOf(session_id, { request_id: 'r1' }));
    expect(await person.next('connection_error')).toMatchObject({
      code: 'history_not_available',
      session_id,
      request_id: 'r1',
    });
  });

  test('[CHT-270] a transcript larger than a frame comes in parts, the newest first', async () => {
    const letters = ['a', 'b', 'c', 'd', 'e'];
    const { session_id, person } = await talk(...letters.map((letter) => letter.repeat(300_000)));
    const found: string[] = [];
    let before_sequence: number | undefined;
    do {
      person.send(historyOf(session_id, { before_sequence }));
      const snapshot = await person.next('history_snapshot');
      found.unshift(...snapshot.messages.map(({ content }) => content.slice(0, 1)));
      before_sequence = snapshot.before_sequence;
    } while (before_sequence !== undefined);
    expect(found).toEqual(letters);
    expect(person.all('history_snapshot').length).toBeGreaterThan(1);
    expect(Math.max(...person.texts.map(({ length }) => length))).toBeLessThanOrEqual(1_048_576);
  });

  test('[CHT-271] a delta larger than a frame comes in parts, each from the end of the last', async () => {
    const { session_id, person, last } = await talk(
      ...['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(300_000)),
    );
    person.send(historyOf(session_id, { after_sequence: 0 }));
    let reached = 0;
    while (reached < last) {
      const { from_sequence, last_sequence, events } = await person.next('history_delta');
      expect(from_sequence).toBe(reached);
      expect(events.at(-1)?.sequence).toBe(last_sequence);
      reached = last_sequence;
    }
    expect(person.all('history_delta').length).toBeGreaterThan(1);
    const sequences = person
      .all('history_delta')
      .flatMap(({ events }) => events.map((each) => each.sequence));
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });
});

describe('resume', () => {
  const resumed = (sessions: readonly object[], more: object = {}) => ({ resume: { sessions, ...more } });

  test('[CHT-175] a good cursor is ok, and its delta follows without a request', async () => {
    const { session_id, last } = await talk('one', 'two');
    const person = await harness.connect('person', resumed([{ session_id, last_sequence: last - 1 }]));
    expect(person.all('connection_ack')).toMatchObject([{ resumed: [{ session_id, result: 'ok' }] }]);
    expect(await person.next('history_delta')).toMatchObject({
      session_id,
      from_sequence: last - 1,
      last_sequence: last,
    });
  });

  test.each([
    ['beyond the end', 1_000, undefined],
    ['of another epoch', 1, 'another'],
  ])(
    '[CHT-175] [CHT-171] a cursor %s is a gap, and a snapshot follows without a request',
    async (_, last_sequence, epoch) => {
      const { session_id } = await talk('one', 'two');
      const person = await harness.connect('person', resumed([{ session_id, last_sequence }], { epoch }));
      expect(person.all('connection_ack')).toMatchObject([{ resumed: [{ session_id, result: 'gap' }] }]);
      expect(await person.next('connection_error')).toMatchObject({ code: 'resume_cursor_invalid' });
      expect((await person.next('history_snapshot')).messages).toHaveLength(2);
    },
  );

  test('[CHT-175] [CHT-172] a cursor before the oldest stored event is a gap too', async () => {
    const { session_id, last } = await talk('one', 'two');
    await harness.relay.ledger.commit([{ do: 'prune_events', session_id, through: last - 1, limit: 100 }]);
    const person = await harness.connect('person', resumed([{ session_id, last_sequence: 1 }]));
    expect(person.all('connection_ack')).toMatchObject([{ resumed: [{ session_id, result: 'gap' }] }]);
    await person.next('history_snapshot');
    expect(person.all('connection_error')).toEqual([]);
  });

  test('[CHT-178] refuses an entry for an unknown session', async () => {
    const { session_id, last } = await talk('one');
    const person = await harness.connect(
      'person',
      resumed([
        { session_id: 'nobody', last_sequence: 3 },
        { session_id, last_sequence: last },
      ]),
    );
    expect(await person.next('connection_error')).toMatchObject({
      code: 'session_unknown',
      session_id: 'nobody',
    });
    await person.next('history_delta', { session_id });
  });

  test('[CHT-176] events during a resume come after the delta, each once', async () => {
    const { session_id, proxy, person: watching } = await talk('begin');
    const say = (from: number, to: number): void => {
      for (let index = from; index < to; index += 1) proxy.send(contentOf(session_id, `text ${index}`));
    };
    const said = (index: number) => watching.next('message_event', { message: { content: `text ${index}` } });
    // More than a page of the ledger, so that the delta takes several reads.
    say(0, 700);
    await said(699);
    for (const round of [700, 760, 820]) {
      const late = await harness.connect('person', null);
      const hello = { type: 'connection_hello', peer_role: 'browser', client_name: 'test' };
      say(round, round + 20);
      late.send({ ...hello, ...resumed([{ session_id, last_sequence: 0 }]) });
      say(round + 20, round + 40);
      await late.next('history_delta');
      say(round + 40, round + 60);
      const { sequence: last } = await said(round + 59);
      const sequences = () =>
        late.frames.flatMap((frame) => {
          if (frame.type === 'history_delta') return frame.events.map(({ sequence }) => sequence);
          return 'sequence' in frame ? [frame.sequence] : [];
        });
      if (!sequences().includes(last)) await late.next('message_event', { sequence: last });
      await late.settled();
      expect(sequences()).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    }
  });
});
