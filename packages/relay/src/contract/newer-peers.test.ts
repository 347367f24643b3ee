import { describe, expect, test } from 'vitest';
import { fresh, useRelay } from '../../test/contract/contract-harness.ts';
import {
  AT,
  configOf,
  contentOf,
  historyOf,
  interruptOf,
  listOf,
  promptOf,
  resultOf,
  sendOf,
  sessionObject,
  statusOf,
} from '../../test/contract/frames.ts';
import type { Loose, Peer } from '../../test/contract/peer.ts';

const harness = useRelay();

const BLOCKS = [
  { type: 'thinking', label: 'Thinking', content: 'Hm.', collapsed: true },
  { type: 'hologram', depth: { of: [1, 2, null] }, content: 'of a newer version' },
];

/** As a proxy of a newer version sends it. */
const observed = (session_id: string, message: Loose) => ({
  type: 'proxy_message',
  session_id,
  message: { role: 'assistant', content: 'Done.', created_at: AT, ...message },
});

const say = async (proxy: Peer, session_id: string, count: number): Promise<void> => {
  for (let at = 1; at <= count; at += 1) proxy.send(contentOf(session_id, `Message ${at}.`));
  await proxy.settled();
};

describe('words and fields', () => {
  test('[CHT-309] [CHT-310] a session of an unknown agent is announced with the others', async () => {
    const [session_id, other] = [fresh('session'), fresh('session')];
    const person = await harness.connect('person');
    const proxy = await harness.connect('proxy');
    proxy.send(
      listOf(
        { ...sessionObject(session_id), agent_type: 'cursor', activity: { kind: 'working' } },
        sessionObject(other),
      ),
    );
    expect(await person.next('session_up', { session: { session_id } })).toMatchObject({
      session: { agent_type: 'unknown', agent_name: 'cursor', activity: { kind: 'thinking' } },
    });
    await person.next('session_up', { session: { session_id: other } });
    proxy.send(statusOf(session_id, { activity: { kind: 'compiling' } }));
    expect(await person.next('session_status', { session_id })).toMatchObject({
      activity: { kind: 'thinking', kind_name: 'compiling', label: 'compiling' },
    });
  });

  test('[CHT-309] [CHT-354] a change of a newer field of a session is a session_up, and a repeat none', async () => {
    const { session_id, person, proxy } = await harness.session();
    const named = { agent_type: 'cursor', agent_name: 'Cursor', project_root: '/code' };
    proxy.send(listOf(sessionObject(session_id, named)));
    proxy.send(listOf(sessionObject(session_id, named)));
    proxy.send(listOf(sessionObject(session_id, { ...named, project_root: '/other' })));
    await person.next('session_up', { session: { project_root: '/other' } });
    const ups = person.all('session_up').filter(({ session }) => session.session_id === session_id);
    expect(ups.slice(1)).toMatchObject([
      { session: { agent_type: 'unknown', agent_name: 'Cursor', agent_type_name: 'cursor' } },
      { session: { project_root: '/other' } },
    ]);
    expect(ups).toHaveLength(3);
  });

  test('[CHT-354] a change of a newer field of the activity is a status; idle ends the thought, not the goal', async () => {
    const { session_id, person, proxy } = await harness.session();
    const work = { kind: 'working', label: 'Tests', started_at: AT, goal: 'Ship it' };
    const say = (activity: Loose) => proxy.send(statusOf(session_id, { activity }));
    say({ ...work, thinking: { text: 'Hm.' }, task_list: { completed: 0, total: 2 } });
    say({ ...work, thinking: { text: 'Hm.' }, task_list: { completed: 0, total: 2 }, updated_at: AT });
    say({ ...work, started_at: '2027-01-01T00:00:00Z', current: { label: 'npm test' } });
    say({ kind: 'idle', thinking: { text: 'Hm.' }, current: { label: 'npm test' } });
    await person.next('session_status', { activity: { kind: 'idle' } });
    const [thinks, acts, rests, ...more] = person.all('session_status').map(({ activity }) => activity);
    expect(thinks).toMatchObject({ goal: 'Ship it', thinking: { text: 'Hm.' }, task_list: { total: 2 } });
    expect(acts).toMatchObject({ current: { label: 'npm test' }, started_at: AT });
    expect(rests).toEqual({ kind: 'idle', goal: 'Ship it' });
    expect(more).toEqual([]);
  });

  test('[CHT-126] [CHT-317] session_up says when the session was last seen', async () => {
    const { session_id, person } = await harness.session();
    expect(person.about(session_id)).toMatchObject([{ session: { last_seen_at: expect.any(String) } }]);
  });

  test('[CHT-312] [CHT-313] unknown fields and blocks of a message come back from storage as they came', async () => {
    const { session_id, person, proxy } = await harness.session();
    const message = {
      message_id: 'm1',
      content_blocks: BLOCKS,
      source_cursor: { generation: 1, end_offset: 90 },
      'new field': { list: [1, 'two', null] },
    };
    proxy.send(observed(session_id, { ...message, status: 'delivered', client_message_id: 'forged' }));
    const live = await person.next('message_event', { session_id });
    expect(live.message).toEqual({ role: 'assistant', content: 'Done.', created_at: AT, ...message });
    await harness.restart();
    const later = await harness.connect('person');
    later.send(historyOf(session_id));
    expect((await later.next('history_snapshot')).messages).toEqual([live.message]);
    later.send(historyOf(session_id, { after_sequence: live.sequence - 1 }));
    const [replayed] = (await later.next('history_delta')).events;
    expect(replayed).toMatchObject({ message: live.message });
  });

  test('[CHT-313] changed blocks change the message, and a send keeps its own', async () => {
    const { session_id, person, proxy } = await harness.session();
    proxy.send(observed(session_id, { message_id: 'm1', content_blocks: [BLOCKS[0]] }));
    proxy.send(observed(session_id, { message_id: 'm1', content_blocks: [BLOCKS[0]] }));
    proxy.send(observed(session_id, { message_id: 'm1', content_blocks: BLOCKS }));
    await proxy.settled();
    await person.next('message_event', { message: { content_blocks: BLOCKS } });
    expect(person.all('message_event')).toHaveLength(2);
    person.send({ ...sendOf(session_id, 'c1'), content_blocks: BLOCKS });
    expect(await person.next('message_event', { message: { message_id: 'c1' } })).toMatchObject({
      message: { content_blocks: BLOCKS },
    });
    expect(await proxy.next('send_message')).toMatchObject({ content_blocks: BLOCKS });
  });

  test('[CHT-314] source_message_id tells a repeat from another message of the same text', async () => {
    const { session_id, person, proxy } = await harness.session();
    for (const source_message_id of ['row-1', 'row-2', 'row-1', 'row-2'])
      proxy.send(observed(session_id, { source_message_id }));
    await proxy.settled();
    await harness.idle();
    await person.settled();
    expect(person.all('message_event').map(({ message }) => message.message_id)).toEqual(['row-1', 'row-2']);
    person.send(sendOf(session_id, 'c1', { content: 'Please' }));
    await proxy.next('send_message');
    const echo = { source_message_id: 'row-3', role: 'user', content: 'Please' };
    proxy.send(observed(session_id, echo));
    proxy.send(observed(session_id, echo));
    await proxy.settled();
    await harness.idle();
    await person.settled();
    expect(person.all('message_event')).toHaveLength(3);
  });

  test('[CHT-316] details of ours come as blocks to a peer that lists them, and to no other', async () => {
    const { session_id, person, proxy } = await harness.session();
    const newer = await harness.connect('person', { features: ['content_blocks'] });
    const details = { kind: 'tool_call', tool_call_id: 't1', title: 'npm test', status: 'running' };
    proxy.send(observed(session_id, { metadata: { details } }));
    const block = { type: 'tool_call', label: 'npm test', status: 'running', content: '', call_id: 't1' };
    expect(await newer.next('message_event')).toMatchObject({ message: { content_blocks: [block] } });
    expect((await person.next('message_event')).message).not.toHaveProperty('content_blocks');
    newer.send(historyOf(session_id));
    expect(await newer.next('history_snapshot')).toMatchObject({ messages: [{ content_blocks: [block] }] });
  });
});

describe('parts of a history', () => {
  test('[CHT-318] a limit gets the newest messages and how many there are', async () => {
    const { session_id, person, proxy } = await harness.session();
    await say(proxy, session_id, 5);
    person.send(historyOf(session_id, { limit: 2 }));
    expect(await person.next('history_snapshot')).toMatchObject({
      ...{ partial: true, total_messages: 5, loaded_messages: 2 },
      messages: [{ content: 'Message 4.' }, { content: 'Message 5.' }],
    });
    person.send(historyOf(session_id, { limit: 2, full: true }));
    const full = await person.next('history_snapshot');
    expect(full.messages).toHaveLength(5);
    person.send(historyOf(session_id));
    expect(await person.next('history_snapshot')).not.toHaveProperty('partial');
    person.send(historyOf(session_id, { limit: 9 }));
    expect(await person.next('history_snapshot')).toMatchObject({ partial: false, total_messages: 5 });
  });

  test('[CHT-319] chunks lead from the end of a conversation to its start', async () => {
    const { session_id, person, proxy } = await harness.session();
    const other = await harness.connect('person');
    await say(proxy, session_id, 5);
    const ask = async (fields: Loose) => {
      const request_id = fresh('h');
      person.send({ type: 'history_chunk_request', session_id, request_id, source: 'native', ...fields });
      return person.next('history_chunk', { request_id });
    };
    const tail = await ask({ mode: 'tail', limit: 2 });
    expect(tail).toMatchObject({
      ...{ mode: 'tail', source: 'relay_sqlite', partial: true, complete: false },
      ...{ total_messages: 5, loaded_messages: 2 },
      messages: [{ content: 'Message 4.' }, { content: 'Message 5.' }],
    });
    const older = await ask({ mode: 'older', limit: 2, before_id: tail.cursor.next_before_id });
    expect(older.messages.map(({ content }) => content)).toEqual(['Message 2.', 'Message 3.']);
    const first = await ask({ mode: 'older', limit: 2, before_id: older.cursor.next_before_id });
    expect(first).toMatchObject({ complete: true, cursor: { next_before_id: null } });
    expect(first.messages.map(({ content }) => content)).toEqual(['Message 1.']);
    const [row] = older.messages;
    const around_id: unknown = Reflect.get(row ?? {}, 'id');
    const around = await ask({ mode: 'around', limit: 3, around_id });
    expect(around.messages.map(({ content }) => content)).toContain('Message 2.');
    person.send({ type: 'history_chunk_request', session_id, request_id: 'bad', mode: 'older' });
    expect(await person.next('connection_error')).toMatchObject({
      code: 'invalid_message',
      request_id: 'bad',
    });
    person.send({ type: 'history_chunk_request', session_id: 'none', request_id: 'no', mode: 'tail' });
    expect(await person.next('connection_error')).toMatchObject({
      code: 'session_unknown',
      request_id: 'no',
    });
    await other.settled();
    expect(other.all('history_chunk')).toEqual([]);
  });
});

describe('subscriptions', () => {
  const subscribe = async (peer: Peer, ...sessions: readonly string[]) => {
    const request_id = fresh('q');
    peer.send({ type: 'subscribe', request_id, sessions });
    return peer.next('subscription_ack', { request_id });
  };

  test('[CHT-320] [CHT-321] a subscriber gets messages of its sessions and summaries of the rest', async () => {
    const { session_id, person, proxy } = await harness.session();
    const newer = await harness.connect('person');
    const other = fresh('session');
    proxy.send(listOf(sessionObject(session_id), sessionObject(other)));
    await newer.next('session_up', { session: { session_id: other } });
    const ack = await subscribe(newer, session_id);
    expect(ack.sessions).toEqual([session_id]);
    expect(newer.all('connection_ack')).toMatchObject([{ state_epoch: ack.state_epoch }]);
    proxy.send(contentOf(other, 'Elsewhere.'));
    proxy.send(statusOf(other, { activity: { kind: 'working', label: 'Tests' } }));
    proxy.send(promptOf(other, 'p1'));
    proxy.send(contentOf(session_id, 'Here.'));
    await newer.next('message_event', { session_id });
    expect(newer.all('message_event').map(({ message }) => message.content)).toEqual(['Here.']);
    expect(newer.all('session_status')).toEqual([]);
    const [said, worked] = newer.all('session_summary');
    expect(said).toMatchObject({
      ...{ session_id: other, status: 'healthy', last_snippet: 'Elsewhere.', unread_delta: 1 },
      last_message_at: Math.floor(harness.clock.now() / 1_000),
    });
    expect(worked).toMatchObject({ unread_delta: 0, activity: { kind: 'thinking', label: 'Tests' } });
    expect(worked?.state_seq).toBeGreaterThan(said?.state_seq ?? Number.NaN);
    expect(newer.all('permission_prompt')).toMatchObject([{ session_id: other, prompt_id: 'p1' }]);
    // A browser that never subscribed sees what it always saw.
    await person.next('message_event', { session_id: other });
    expect(person.all('session_summary')).toEqual([]);
    await subscribe(newer, other);
    proxy.send(contentOf(other, 'Now here.'));
    await newer.next('message_event', { session_id: other });
  });

  test('[CHT-355] a status has its place in the order of the run, for subscribers alone', async () => {
    const { session_id, person, proxy } = await harness.session();
    const newer = await harness.connect('person');
    const { state_epoch } = await subscribe(newer, session_id);
    for (const kind of ['working', 'idle']) proxy.send(statusOf(session_id, { activity: { kind } }));
    await newer.next('session_status', { activity: { kind: 'idle' } });
    const [first, second] = newer.all('session_status');
    expect(first).toMatchObject({ session_id, state_epoch, state_seq: expect.any(Number) });
    expect(second?.state_seq).toBeGreaterThan(first?.state_seq ?? Number.NaN);
    await person.next('session_status', { activity: { kind: 'idle' } });
    expect(person.all('session_status')[0]).not.toHaveProperty('state_seq');
  });

  test('[CHT-320] a malformed subscription is refused, and changes nothing', async () => {
    const { session_id, person, proxy } = await harness.session();
    for (const sessions of ['all', Array.from({ length: 129 }, () => 's'), undefined]) {
      person.send({ type: 'subscribe', request_id: 'q9', sessions });
      expect(await person.next('connection_error')).toMatchObject({
        code: 'invalid_subscription',
        request_id: 'q9',
      });
    }
    proxy.send(contentOf(session_id, 'Still here.'));
    await person.next('message_event');
  });

  test('[CHT-322] a subscriber gets a renamed session as a patch, with the same numbering', async () => {
    const { session_id, person, proxy } = await harness.session({ session: { window_title: 'Old' } });
    const newer = await harness.connect('person');
    await subscribe(newer, session_id);
    proxy.send(listOf(sessionObject(session_id, { display_name: 'New' })));
    const up = await person.next('session_up', { session: { display_name: 'New' } });
    expect(await newer.next('session_patch')).toMatchObject({
      ...{ session_id, event_id: up.event_id, sequence: up.sequence },
      patch: { display_name: 'New' },
      removed_fields: ['window_title'],
    });
    await proxy.cut();
    await newer.next('session_down', { session_id });
  });

  test('[CHT-323] deltas reach subscribers in order, are not stored, and disorder is dropped', async () => {
    const { session_id, person, proxy } = await harness.session();
    const newer = await harness.connect('person');
    await subscribe(newer, session_id);
    const delta = (seq: number, op: string, append?: string, block_index = 0) =>
      proxy.send({ type: 'message_delta', session_id, message_id: 'turn-4', block_index, seq, op, append });
    delta(1, 'append', 'early');
    delta(0, 'block_open');
    delta(1, 'append', 'Hel');
    delta(1, 'append', 'Hel');
    delta(3, 'append', 'gap');
    delta(2, 'append', 'lo');
    delta(3, 'block_close');
    delta(4, 'append', 'late');
    delta(0, 'block_open', undefined, 1);
    proxy.send({ type: 'message_delta', session_id, message_id: 'x', block_index: 0, seq: 0, op: 'append' });
    expect(await proxy.next('connection_error')).toMatchObject({ code: 'invalid_message' });
    await newer.next('message_delta', { block_index: 1 });
    expect(newer.all('message_delta').map(({ op, append = '' }) => op + append)).toEqual([
      'block_open',
      'appendHel',
      'appendlo',
      'block_close',
      'block_open',
    ]);
    expect(newer.all('message_delta')[0]).toMatchObject({ role: 'assistant', block_type: 'text' });
    newer.send(historyOf(session_id));
    expect((await newer.next('history_snapshot')).messages).toEqual([]);
    expect(person.all('message_delta')).toEqual([]);
  });

  test('[CHT-324] the list of chats reaches subscribers, now and later', async () => {
    const { session_id, person, proxy } = await harness.session();
    const newer = await harness.connect('person');
    await subscribe(newer, session_id);
    const chats = [{ id: 'c1', kind: 'chat', title: 'Fix the tests', active: true }];
    proxy.send({ type: 'chat_list', session_id, chats, read_at: AT });
    expect(await newer.next('chat_list')).toMatchObject({ session_id, chats, read_at: AT });
    const listing = await harness.connect('person', { features: ['chat_list'] });
    expect(await listing.next('chat_list', { session_id })).toMatchObject({ chats });
    const late = await harness.connect('person');
    await subscribe(late, session_id);
    expect(await late.next('chat_list', { session_id })).toMatchObject({ chats });
    await person.settled();
    expect(person.all('chat_list')).toEqual([]);
  });

  test('[CHT-370] a rate limit reaches subscribers with all its fields, now and later, until it is cleared', async () => {
    const { session_id, person, proxy } = await harness.session();
    const newer = await harness.connect('person');
    await subscribe(newer, session_id);
    const limit = { percent_used: 90.5, hard_limited: true, reset_at: AT, plan: 'pro' };
    proxy.send({ type: 'rate_limit_active', session_id, ...limit });
    expect(await newer.next('rate_limit_active')).toMatchObject({ session_id, ...limit });
    const listing = await harness.connect('person', { features: ['rate_limits'] });
    expect(await listing.next('rate_limit_active', { session_id })).toMatchObject(limit);
    proxy.send({ type: 'rate_limit_cleared', session_id });
    await newer.next('rate_limit_cleared');
    const late = await harness.connect('person', { features: ['rate_limits'] });
    expect(await late.next('rate_limit_cleared', { session_id })).toMatchObject({ session_id });
    expect(late.all('rate_limit_active')).toEqual([]);
    await person.settled();
    expect([...person.all('rate_limit_active'), ...person.all('rate_limit_cleared')]).toEqual([]);
  });
});

describe('receipts for a stop', () => {
  const stoppable = async (session: Loose = {}) => {
    const fixture = await harness.session({ session });
    const { session_id, person, proxy } = fixture;
    proxy.send(
      configOf(session_id, 'm1', { capabilities: { interrupt: true, interrupt_method: 'native_stop' } }),
    );
    await person.next('agent_config', { session_id });
    return fixture;
  };

  test('[CHT-325] a stop that means an earlier turn is refused before the proxy', async () => {
    const { session_id, person, proxy } = await stoppable({ session_generation: 4, turn_generation: 19 });
    const stale = [
      { turn_generation: 18 },
      { session_generation: 3 },
      { turn_generation: 19, connection_id: 'other' },
    ];
    for (const fields of stale) {
      person.send({ ...interruptOf(session_id, fresh('i')), ...fields });
      expect(await person.next('agent_control_result')).toMatchObject({
        result: 'failed',
        error: { code: 'agent_not_active' },
      });
    }
    await proxy.settled();
    expect(proxy.all('agent_interrupt')).toEqual([]);
    person.send({ ...interruptOf(session_id, fresh('i')), session_generation: 4, turn_generation: 19 });
    await proxy.next('agent_interrupt');
  });

  test('[CHT-326] [CHT-327] a stop counts when the agent confirms it', async () => {
    const { session_id, person, proxy } = await stoppable();
    const stop = async (receipt: Loose) => {
      const request_id = fresh('i');
      person.send(interruptOf(session_id, request_id));
      await proxy.next('agent_interrupt', { request_id });
      proxy.send(resultOf(session_id, request_id, { command: 'agent_interrupt', ...receipt }));
      return person.next('agent_control_result', { request_id });
    };
    expect(await stop({})).toMatchObject({ result: 'failed', error_code: 'native_receipt_missing' });
    const details = { native_acknowledged: true, native_operations: 1 };
    expect(await stop({ native_acknowledged: true, details })).toMatchObject({
      result: 'ok',
      native_acknowledged: true,
      details,
    });
  });

  test('[CHT-326] an agent that does not answer in 15 s was not stopped', async () => {
    const { session_id, person, proxy } = await stoppable();
    const request_id = fresh('i');
    person.send(interruptOf(session_id, request_id));
    await proxy.next('agent_interrupt', { request_id });
    // On a follower, the command was acknowledged too.
    await person.settled();
    harness.clock.advance(15_000);
    expect(await person.next('agent_control_result', { request_id })).toMatchObject({
      error_code: 'native_control_timeout',
    });
  });

  test('[CHT-326] an agent without interrupt_method needs no receipt', async () => {
    const { session_id, person, proxy } = await harness.session();
    const request_id = fresh('i');
    person.send(interruptOf(session_id, request_id));
    await proxy.next('agent_interrupt', { request_id });
    proxy.send(resultOf(session_id, request_id, { command: 'agent_interrupt' }));
    expect(await person.next('agent_control_result', { request_id })).toMatchObject({ result: 'ok' });
  });

  test('[CHT-328] two browsers stop one turn once, and a repeat gets the same receipt', async () => {
    const { session_id, person, proxy } = await stoppable({ turn_generation: 19 });
    const other = await harness.connect('person');
    const stop = (peer: Peer, request_id: string) =>
      peer.send({ ...interruptOf(session_id, request_id), turn_generation: 19 });
    const ids = [fresh('i'), fresh('i'), fresh('i')] as const;
    stop(person, ids[0]);
    await proxy.next('agent_interrupt', { request_id: ids[0] });
    stop(other, ids[1]);
    await other.settled();
    proxy.send(resultOf(session_id, ids[0], { command: 'agent_interrupt', native_acknowledged: true }));
    expect(await person.next('agent_control_result')).toMatchObject({ request_id: ids[0], result: 'ok' });
    expect(await other.next('agent_control_result')).toMatchObject({ request_id: ids[1], result: 'ok' });
    stop(other, ids[2]);
    expect(await other.next('agent_control_result')).toMatchObject({
      ...{ request_id: ids[2], result: 'ok', replayed: true },
    });
    await proxy.settled();
    expect(proxy.all('agent_interrupt')).toHaveLength(1);
  });
});

describe('fields as they were written', () => {
  /** Each is read by `JSON.parse` and written by `JSON.stringify` as another text. */
  const WRITTEN = [
    '"ratio":1.0',
    '"serial":12345678901234567890',
    '"far":1e400',
    '"places":{ "2":-0,\t"1":[1.50, "\\u0041\\/"], "1":2 }',
    '"caf\\u00e9":null',
    '"content_blocks":[ {"type":"hologram", "depth":2.0} ]',
    '"metadata":{"details":{"kind":"thought"}, "weight":3.10}',
  ];
  const written = (content: string, more = '', fields = WRITTEN): string =>
    `{ "role":"assistant", "content" : ${JSON.stringify(content)}, "created_at":"${AT}", ${more}${fields.join(' , ')} }`;
  const say = (session_id: string, message: string): string =>
    `{"type":"proxy_message","protocol_version":1,"session_id":"${session_id}","message":${message}}`;
  /** The latest received text of that type. */
  const textOf = ({ frames, texts }: Peer, type: string): string =>
    texts[frames.findLastIndex((frame) => frame.type === type)] ?? '';
  const expectWritten = (text: string, fields = WRITTEN): void => {
    for (const field of fields) expect(text).toContain(field);
  };

  test('[CHT-312] [CHT-313] every unknown field of a message is replayed byte for byte: live, in every kind of history, and after a restart', async () => {
    const { session_id, person, proxy } = await harness.session();
    const newer = await harness.connect('person', { features: ['content_blocks'] });
    proxy.send(say(session_id, written('One.', '"status":"delivered","message_id":"m1","status":"x",')));
    for (const peer of [person, newer]) {
      await peer.next('message_event', { session_id });
      expectWritten(textOf(peer, 'message_event'));
    }
    expect(textOf(person, 'message_event')).not.toContain('status');
    // A newer peer gets blocks made of the details of a message that has none.
    const bare = WRITTEN.filter((field) => !field.includes('hologram'));
    proxy.send(say(session_id, written('Two.', '', bare)));
    await newer.next('message_event', { message: { content: 'Two.' } });
    expectWritten(textOf(newer, 'message_event'), [...bare, '"content_blocks":[{"type":"thinking"']);
    const { sequence = 0 } = await person.next('message_event', { message: { content: 'Two.' } });
    await harness.restart();
    for (const features of [[], ['content_blocks']]) {
      const later = await harness.connect('person', { features });
      later.send(historyOf(session_id));
      await later.next('history_snapshot');
      expectWritten(textOf(later, 'history_snapshot'));
      later.send(historyOf(session_id, { after_sequence: sequence - 2 }));
      await later.next('history_delta');
      expectWritten(textOf(later, 'history_delta'));
      later.send({
        type: 'history_chunk_request',
        session_id,
        request_id: 'h',
        mode: 'tail',
        source: 'relay_sqlite',
      });
      const { messages } = await later.next('history_chunk');
      expectWritten(textOf(later, 'history_chunk'));
      expect(messages).toMatchObject([{ id: expect.any(Number) }, { id: expect.any(Number) }]);
    }
    const resumed = await harness.connect('person', {
      resume: { sessions: [{ session_id, last_sequence: sequence - 2 }] },
    });
    await resumed.next('history_delta');
    expectWritten(textOf(resumed, 'history_delta'));
  });

  test("[CHT-312] [CHT-357] a proxy's own snapshot and the rest of a growing message keep them too", async () => {
    const { session_id, person, proxy } = await harness.session();
    const reader = await harness.connect('person', { features: ['appends', 'continued'] });
    const list = [written('Told.', '"source_message_id":"s1",'), written('Unnamed.', '', ['"ratio":2.0'])];
    proxy.send(
      `{"type":"history_snapshot","protocol_version":1,"session_id":"${session_id}", "history" : [ ${list.join(',')} ] }`,
    );
    await person.next('message_event', { message: { content: 'Unnamed.' } });
    person.send(historyOf(session_id));
    await person.next('history_snapshot');
    expectWritten(textOf(person, 'history_snapshot'), [...WRITTEN, '"ratio":2.0']);
    const grow = (content: string): void =>
      proxy.send(say(session_id, written(content, '"message_id":"m2",')));
    grow('Once');
    await reader.next('message_event', { message: { content: 'Once' } });
    grow('Once upon a time');
    await reader.next('message_append');
    harness.clock.advance(1_000);
    const { message } = await reader.next('message_event', { offset: 16 });
    expect(message).toMatchObject({ message_id: 'm2', content: '' });
    expectWritten(textOf(reader, 'message_event'));
  });

  test('[CHT-376] [CHT-313] unknown fields of a send reach the proxy as they were written: at once, edited, and after a restart', async () => {
    const { session_id, person, proxy } = await harness.session();
    const sent = (id: string): string =>
      `{"type":"send_message", "protocol_version":1,"session_id":"${session_id}","client_message_id":"${id}", "content":"Go.",` +
      `"created_at":"${AT}",${WRITTEN.join(', ')}}`;
    person.send(sent('c1'));
    expect(await proxy.next('send_message', { client_message_id: 'c1' })).toMatchObject({ attempt: 1 });
    expectWritten(textOf(proxy, 'send_message'));
    await person.next('message_event', { message: { message_id: 'c1' } });
    const blocks = WRITTEN.filter((field) => field.includes('hologram'));
    expectWritten(textOf(person, 'message_event'), blocks);
    await proxy.cut();
    await person.next('session_down', { session_id });
    person.send(sent('c2'));
    await person.next('message_event', { message: { message_id: 'c2' } });
    const edit = { type: 'edit_message', session_id, client_message_id: 'c2', content: 'Wait.' };
    person.send({ ...edit, request_id: fresh('e') });
    await person.next('message_event', { message: { message_id: 'c2', content: 'Wait.' } });
    await harness.restart();
    const back = await harness.comeBack({ session_id, proxy, person });
    await back.next('send_message', { client_message_id: 'c2', content: 'Wait.' });
    expectWritten(textOf(back, 'send_message'));
  });

  test('[CHT-376] [CHT-319] a chunk has at most as many bytes as were asked for', async () => {
    const { session_id, person, proxy } = await harness.session();
    for (const word of ['a', 'b', 'c']) proxy.send(contentOf(session_id, `${word}${'€'.repeat(1_000)}`));
    await proxy.settled();
    const chunk = { type: 'history_chunk_request', session_id, mode: 'tail', source: 'relay_sqlite' };
    person.send({ ...chunk, request_id: 'h', chunk_bytes: 8_000 });
    const { messages } = await person.next('history_chunk');
    expect(messages.map(({ content }) => content.charAt(0))).toEqual(['b', 'c']);
  });
});
