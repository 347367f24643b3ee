import type { ChatEvent, SendFrame } from '@drawbridge/link/chat';
import { describe, expect, test } from 'vitest';
import { type Conversation, type ConversationInput, createConversation } from './conversation.ts';
import { foldConversation } from './conversation-fold.ts';
import { MAX_ENTRIES, MOST_ENTRIES } from './conversation-window.ts';
import { conversationRows } from './rows.ts';

const AT = '2026-03-01T10:00:00.000Z';
let sequence = 0;
const event = (fields: object): ConversationInput => {
  sequence += 1;
  const stamped = { session_id: 's', event_id: `e${sequence}`, sequence, ...fields };
  return { type: 'event', event: stamped as unknown as ChatEvent };
};
const said = (message_id: string, content: string, more: object = {}): ConversationInput =>
  event({
    type: 'message_event',
    message: { message_id, role: 'assistant', content, created_at: AT, ...more },
  });
const own = (id: string, more: object = {}): ConversationInput =>
  said(id, `text of ${id}`, { role: 'user', ...more });
const about = (type: string, id: string, more: object): ConversationInput =>
  event({ type, message_id: id, client_message_id: id, ...more });
const accepted = (id: string) => about('message_accepted', id, { status: 'accepted', accepted_at: AT });
const delivered = (id: string) => about('message_delivered', id, { status: 'delivered', delivered_at: AT });
const failed = (id: string, more: object = {}) =>
  about('message_failed', id, {
    status: 'failed',
    failed_at: AT,
    error: { code: 'delivery_unknown', message: 'The proxy went away.' },
    ...more,
  });
const page = (ids: readonly string[], before_sequence?: number) => ({
  type: 'history_snapshot' as const,
  protocol_version: 1 as const,
  session_id: 's',
  last_sequence: 100,
  messages: ids.map((message_id) => ({ message_id, role: 'assistant', content: message_id, created_at: AT })),
  ...(before_sequence !== undefined && { before_sequence }),
});
const frame = (id: string): SendFrame => ({
  type: 'send_message',
  protocol_version: 1,
  client_message_id: id,
  session_id: 's',
  created_at: AT,
  content: `text of ${id}`,
});
const prompt = (prompt_id: string): ConversationInput =>
  event({
    type: 'permission_prompt',
    prompt_id,
    prompt_text: 'Run npm publish?',
    choices: [
      { choice_id: 'yes', label: 'Yes', is_default: false, effect: 'allow' },
      { choice_id: 'no', label: 'No', is_default: true, effect: 'deny' },
    ],
  });
const fold = (...inputs: readonly ConversationInput[]): Conversation =>
  foldConversation(createConversation(), inputs);
const idsOf = ({ entries }: Conversation) => entries.map(({ id }) => id);
const deliveryOf = (conversation: Conversation, id: string) => {
  const entry = conversation.entries.find((one) => one.id === id);
  return entry?.kind === 'message' ? entry.delivery : undefined;
};

describe('messages', () => {
  test('[CHT-166] a send is one message, in whichever order its parts arrive', () => {
    const orders = [
      [own('a'), accepted('a'), delivered('a')],
      [accepted('a'), own('a'), delivered('a')],
      [accepted('a'), delivered('a'), own('a')],
      [{ type: 'sent', frame: frame('a') } as const, accepted('a'), delivered('a')],
    ];
    for (const inputs of orders) {
      const conversation = fold(...inputs);
      expect(conversation.entries).toMatchObject([
        { id: 'a', content: 'text of a', delivery: { status: 'delivered' } },
      ]);
    }
  });

  test('[CHT-154] settled states are final', () => {
    const conversation = fold(own('a'), delivered('a'), accepted('a'), failed('a'));
    expect(deliveryOf(conversation, 'a')).toMatchObject({ status: 'delivered' });
  });

  test('[CHT-162] shows that a delivery is unknown', () => {
    expect(deliveryOf(fold(own('a'), failed('a', { indeterminate: true })), 'a')).toMatchObject({
      status: 'failed',
      isUnknown: true,
      code: 'delivery_unknown',
    });
    const cancelled = { error: { code: 'cancelled', message: '' } };
    expect(deliveryOf(fold(own('a'), failed('a', cancelled)), 'a')).toMatchObject({ status: 'cancelled' });
  });

  test('a streaming message stays in place with its newest text', () => {
    const conversation = fold(said('a', 'Hel'), said('b', 'next'), said('a', 'Hello'));
    expect(conversation.entries).toMatchObject([
      { id: 'a', content: 'Hello' },
      { id: 'b', content: 'next' },
    ]);
  });

  test('an edit changes the text and marks it, also when the record is repeated', () => {
    const edited = about('message_edited', 'a', { content: 'better', edited_at: AT });
    expect(fold(own('a'), edited).entries).toMatchObject([{ content: 'better', isEdited: true }]);
    expect(fold(own('a'), edited, own('a', { content: 'better' })).entries).toMatchObject([
      { isEdited: true },
    ]);
  });

  test('a refused send becomes a failed message', () => {
    const conversation = fold({
      type: 'refused',
      frame: frame('a'),
      code: 'send_rejected',
      message: 'Too many wait.',
    });
    expect(conversation.entries).toMatchObject([
      { id: 'a', delivery: { status: 'failed', message: 'Too many wait.' } },
    ]);
  });

  test('later inputs do not change an earlier version of a talk', () => {
    const before = fold(said('a', 'one'));
    const after = foldConversation(before, [said('b', 'two'), said('a', 'changed')]);
    expect(idsOf(before)).toEqual(['a']);
    expect(before.entries).toMatchObject([{ content: 'one' }]);
    expect(idsOf(after)).toEqual(['a', 'b']);
    expect(idsOf(foldConversation(before, [said('c', 'three')]))).toEqual(['a', 'c']);
  });
});

describe('history', () => {
  test('an older page is prepended without duplicates, and streaming messages are still found', () => {
    const conversation = fold(
      { type: 'snapshot', snapshot: page(['c', 'd'], 30) },
      { type: 'older_page', snapshot: page(['a', 'b', 'c']) },
      said('d', 'new words'),
      said('a', 'old words'),
    );
    expect(idsOf(conversation)).toEqual(['a', 'b', 'c', 'd']);
    expect(conversation.entries).toMatchObject([{ content: 'old words' }, {}, {}, { content: 'new words' }]);
    expect(conversation.history).toEqual({ state: 'there' });
  });

  test('a snapshot after a gap keeps adjoining older pages', () => {
    const conversation = fold(
      { type: 'snapshot', snapshot: page(['c', 'd'], 30) },
      { type: 'older_page', snapshot: page(['a', 'b'], 10) },
      { type: 'snapshot', snapshot: page(['c', 'd', 'e'], 30) },
    );
    expect(idsOf(conversation)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(conversation.history).toEqual({ state: 'there', before: 10 });
    const far = foldConversation(conversation, [{ type: 'snapshot', snapshot: page(['x', 'y'], 90) }]);
    expect(idsOf(far)).toEqual(['x', 'y']);
    expect(far.history).toEqual({ state: 'there', before: 90 });
  });

  test('a snapshot keeps a reason that an event gave', () => {
    const conversation = fold(own('a'), failed('a', { indeterminate: true }), {
      type: 'snapshot',
      snapshot: {
        ...page([]),
        messages: [{ message_id: 'a', role: 'user', content: 'a', created_at: AT, status: 'failed' }],
      },
    });
    expect(deliveryOf(conversation, 'a')).toMatchObject({ isUnknown: true });
  });

  /** A hundred at a time, as between two frames. */
  const reported = (conversation: Conversation, count: number): Conversation => {
    let next = conversation;
    for (let from = 0; from < count; from += 100) {
      next = foldConversation(
        next,
        Array.from({ length: 100 }, (_, at) => said(`m${from + at}`, 'text')),
      );
    }
    return next;
  };
  const opened = () => fold({ type: 'snapshot', snapshot: page([]) });

  test('keeps 30,000 events in order while a reader is further up', () => {
    const conversation = reported(foldConversation(opened(), [{ type: 'held', isHeld: true }]), 30_000);
    const changed = foldConversation(conversation, [said('m15000', 'changed')]);
    expect(changed.entries).toHaveLength(30_000);
    expect(changed.entries[15_000]).toMatchObject({ id: 'm15000', content: 'changed' });
  });

  test('keeps the newest of 100,000 events, and can request older ones', () => {
    const plan = { metadata: { details: { kind: 'plan', steps: [] } } };
    const conversation = reported(foldConversation(opened(), [said('plan', 'plan', plan)]), 100_000);
    expect(conversation.entries.length).toBeGreaterThanOrEqual(MAX_ENTRIES);
    expect(conversation.entries.length).toBeLessThanOrEqual(MOST_ENTRIES);
    expect(conversation.index.size).toBeLessThanOrEqual(MOST_ENTRIES);
    expect(conversation.entries.at(-1)?.id).toBe('m99999');
    expect(conversation.plan, 'what stands beside it stays').toEqual({ kind: 'plan', steps: [] });
    const [first] = conversation.entries;
    expect(conversation.history).toEqual({ state: 'there', before: first?.sequence });
    const older = foldConversation(conversation, [{ type: 'older_page', snapshot: page(['x', 'y'], 7) }]);
    expect(older.history.before).toBe(7);
    expect(idsOf(older).slice(0, 3)).toEqual(['x', 'y', first?.id]);
    expect(foldConversation(older, [said('y', 'changed')]).entries[1]).toMatchObject({ content: 'changed' });
  });

  test('drops nothing while an older page is loading, which would leave a gap', () => {
    const loading: ConversationInput = { type: 'history_state', state: 'loading' };
    expect(reported(foldConversation(opened(), [loading]), 5_000).entries).toHaveLength(5_000);
  });

  test("the relay's state replaces the stored one", () => {
    const known = { ...fold(said('old', 'old'), said('b', 'b')), asOf: 1 };
    const conversation = foldConversation(known, [{ type: 'snapshot', snapshot: page(['b', 'c'], 5) }]);
    expect(idsOf(conversation)).toEqual(['b', 'c']);
    expect(conversation).toMatchObject({ asOf: undefined, history: { state: 'there', before: 5 } });
  });
});

describe('prompts and control', () => {
  test('[CHT-230] removes an expired prompt, and keeps its outcome', () => {
    const conversation = fold(
      prompt('p'),
      event({ type: 'permission_prompt_expired', prompt_id: 'p', applied_choice: 'no' }),
    );
    expect(conversation.prompts.size).toBe(0);
    expect(conversation.entries).toMatchObject([
      { kind: 'settled', outcome: { how: 'expired', choice: 'No' } },
    ]);
  });

  test('shows who answered on the other screens', () => {
    const answered = { prompt_id: 'p', choice_id: 'yes', answered_by: 'Phone', answered_at: AT };
    const conversation = fold(prompt('p'), event({ type: 'permission_prompt_answered', ...answered }));
    expect(conversation.prompts.size).toBe(0);
    expect(conversation.entries).toMatchObject([
      { outcome: { how: 'answered', by: 'Phone', choice: 'Yes', allows: true } },
    ]);
  });

  test('shows a settled prompt once, at its place, to a late joiner', () => {
    const before = said('a', 'one');
    const asked = prompt('p');
    const ended = { prompt_id: 'p', choice_id: 'no', answered_by: 'Phone', answered_at: AT };
    const answered = event({ type: 'permission_prompt_answered', ...ended });
    const after = said('b', 'two');
    const unheard = event({ type: 'permission_prompt_expired', prompt_id: 'older' });
    const recalled: ConversationInput = {
      type: 'recalled',
      events: [before, asked, answered, after, unheard].flatMap((input) =>
        input.type === 'event' ? [input.event] : [],
      ),
    };
    const conversation = fold({ type: 'snapshot', snapshot: page(['a', 'b']) }, recalled, recalled);
    expect(conversation.entries).toMatchObject([
      { id: 'a' },
      { kind: 'settled', text: 'Run npm publish?', outcome: { choice: 'No', by: 'Phone', allows: false } },
      { id: 'b' },
    ]);
    expect(idsOf(fold(before, asked, answered, after, recalled))).toEqual(idsOf(conversation));
    // Lookup by id still works.
    expect(foldConversation(conversation, [said('b', 'more')]).entries).toMatchObject([
      {},
      {},
      { content: 'more' },
    ]);
  });

  test('a refused answer keeps the prompt open with its reason, a late one removes it', () => {
    const answering: ConversationInput = { type: 'prompt_answering', prompt_id: 'p', choice_id: 'yes' };
    const problem = (isOver: boolean): ConversationInput => ({
      type: 'prompt_problem',
      prompt_id: 'p',
      problem: 'No proxy',
      isOver,
    });
    expect(fold(prompt('p'), answering).prompts.get('p')).toMatchObject({ answering: 'yes' });
    const open = fold(prompt('p'), answering, problem(false)).prompts.get('p');
    expect(open).toMatchObject({ problem: 'No proxy' });
    expect(open).not.toHaveProperty('answering');
    expect(fold(prompt('p'), answering, problem(true)).prompts.size).toBe(0);
  });

  test('[CHT-242] Stop is pending until its result or until the agent is idle', () => {
    const status = (kind: string) => event({ type: 'session_status', activity: { kind } });
    expect(fold({ type: 'stop_asked' }).stop).toEqual({ pending: true });
    expect(fold({ type: 'stop_asked' }, status('generating')).stop).toEqual({ pending: true });
    expect(fold({ type: 'stop_asked' }, status('idle')).stop).toEqual({ pending: false });
    expect(fold({ type: 'stop_asked' }, { type: 'stop_ended', problem: 'no' }).stop).toEqual({
      pending: false,
      problem: 'no',
    });
  });

  test('[CHT-249] only agent_config changes the shown model', () => {
    const config = (model_id: string) => event({ type: 'agent_config', model_id });
    const asked = fold(config('small'), { type: 'model_asked', model_id: 'large' });
    expect(asked).toMatchObject({ config: { model_id: 'small' }, model: { wanted: 'large' } });
    expect(foldConversation(asked, [config('large')])).toMatchObject({
      config: { model_id: 'large' },
      model: {},
    });
    const refused = foldConversation(asked, [{ type: 'model_refused', problem: 'Not offered' }]);
    expect(refused).toMatchObject({ config: { model_id: 'small' }, model: { problem: 'Not offered' } });
    expect(refused.model).not.toHaveProperty('wanted');
  });

  test('[CHT-160] a late joiner sees that a delivery is unknown', () => {
    const messages = [
      { message_id: 'a', role: 'user', content: 'a', created_at: AT, status: 'failed' as const },
    ];
    const snapshot: ConversationInput = { type: 'snapshot', snapshot: { ...page([]), messages } };
    const event = failed('a', { indeterminate: true });
    const events = event.type === 'event' ? [event.event] : [];
    expect(deliveryOf(fold(snapshot), 'a')).toEqual({ status: 'failed', isUnknown: false });
    const delivery = deliveryOf(fold(snapshot, { type: 'recalled', events }), 'a');
    expect(delivery).toMatchObject({ status: 'failed', code: 'delivery_unknown', isUnknown: true });
  });

  test('removes a question when the agent no longer waits', () => {
    const question = event({ type: 'agent_question', question_id: 'q', text: 'Which branch?' });
    expect(fold(question).questions.size).toBe(1);
    const working = event({ type: 'session_status', activity: { kind: 'generating' } });
    expect(fold(question, working).questions.size).toBe(0);
    const recalled = (...inputs: readonly ConversationInput[]): ConversationInput => ({
      type: 'recalled',
      events: inputs.flatMap((input) => (input.type === 'event' ? [input.event] : [])),
    });
    expect([...fold(recalled(question)).questions.keys()]).toEqual(['q']);
    expect(fold(recalled(question, working)).questions.size).toBe(0);
  });

  test('closing removes prompts and questions, and keeps messages', () => {
    const conversation = fold(said('a', 'hello'), prompt('p'), event({ type: 'session_closed' }));
    expect(conversation).toMatchObject({ isClosed: true, entries: [{ id: 'a' }] });
    expect(conversation.prompts.size).toBe(0);
  });
});

test('[CHT-298] appends continue a message; one beyond its end changes nothing, and an event has the whole text', () => {
  const append = (offset: number, text: string): ConversationInput => ({
    type: 'append',
    frame: { type: 'message_append', protocol_version: 1, session_id: 's', message_id: 'm', offset, text },
  });
  const textAfter = (...inputs: readonly ConversationInput[]) =>
    foldConversation(createConversation(), inputs).entries.map(
      (entry) => 'content' in entry && entry.content,
    );
  const start = said('m', 'One');
  expect(textAfter(start, append(3, ', two'), append(8, ', three'))).toEqual(['One, two, three']);
  expect(textAfter(start, append(8, ', three'))).toEqual(['One']);
  expect(textAfter(start, append(3, ', two'), append(3, ', two, three'))).toEqual(['One, two, three']);
  expect(textAfter(start, append(3, ', two'), said('m', 'One, two.'))).toEqual(['One, two.']);
  expect(textAfter(append(0, 'x'))).toEqual([]);
});

test('[CHT-349] a send is being checked until its outcome, whichever comes first', () => {
  const ids = { session_id: 's', message_id: 'a', client_message_id: 'a' };
  const checking: ConversationInput = {
    type: 'checking',
    frame: { type: 'message_checking', protocol_version: 1, ...ids },
  };
  const isChecking = { status: 'accepted', isChecking: true };
  expect(deliveryOf(fold(accepted('a'), own('a'), checking), 'a')).toMatchObject(isChecking);
  expect(deliveryOf(fold(checking, own('a')), 'a')).toMatchObject(isChecking);
  expect(deliveryOf(fold(own('a'), checking, accepted('a')), 'a')).toMatchObject(isChecking);
  expect(deliveryOf(fold(own('a'), checking, delivered('a')), 'a')).toMatchObject({ status: 'delivered' });
  expect(deliveryOf(fold(own('a'), delivered('a'), checking), 'a')).toMatchObject({ status: 'delivered' });
});

test('[CHT-315] the blocks of a message are its parts, and details of ours come before them', () => {
  const content_blocks = [
    { type: 'thinking', content: 'Hm.' },
    { type: 'terminal', command: 'npm test', stdout: 'ok', exit_code: 0 },
  ];
  const details = { kind: 'thought' };
  const inputs = [
    said('m1', 'Hm. ok', { content_blocks }),
    said('m2', 'Hm.', { content_blocks, metadata: { details } }),
    said('m3', 'Plain.'),
  ];
  const { entries } = foldConversation(createConversation(), inputs);
  expect(entries).toMatchObject([
    { id: 'm1', parts: [{ content: 'Hm.', details }, { details: { title: 'npm test', output: 'ok' } }] },
    { id: 'm2', details },
    { id: 'm3' },
  ]);
  expect(entries.slice(1).every((entry) => !('parts' in entry))).toBe(true);
});

describe('[CHT-351] a message in parts', () => {
  const delta = (seq: number, op: string, more: object = {}): ConversationInput => ({
    type: 'delta',
    frame: {
      ...{ type: 'message_delta', protocol_version: 1, session_id: 's', message_id: 'm', server_ts: AT },
      ...{ block_index: 0, seq, op, ...more },
    } as Extract<ConversationInput, { type: 'delta' }>['frame'],
  });
  const parts = [
    delta(0, 'block_open', { block_type: 'thinking' }),
    delta(1, 'append', { append: 'Hm.' }),
    delta(2, 'block_close'),
    delta(0, 'block_open', { block_index: 1 }),
    delta(1, 'append', { block_index: 1, append: 'Hel' }),
    delta(2, 'append', { block_index: 1, append: 'lo' }),
  ];
  const shown = (...inputs: readonly ConversationInput[]) =>
    conversationRows(fold(...inputs), { pending: [], dropped: [], readUpTo: undefined }).flatMap((row) =>
      row.kind === 'entry' && row.entry.kind === 'message' ? [row.entry] : [],
    );

  test('is shown as it grows, after the stored messages', () => {
    const details = { kind: 'thought' };
    expect(shown(said('a', 'Before.'), ...parts)).toMatchObject([
      { id: 'a' },
      { id: 'm', at: Date.parse(AT), parts: [{ content: 'Hm.', details }, { content: 'Hello' }] },
    ]);
    expect(shown(delta(1, 'append', { append: 'without a start' }))).toEqual([]);
    expect(shown(delta(0, 'block_open'))).toEqual([]);
  });

  test.each([
    ['the stored message', said('m', 'Hello.'), ['m']],
    ['a stored message of the same text', said('other', 'Hm.\n\nHello\n'), ['other']],
    ['the end of the turn', event({ type: 'session_status', activity: { kind: 'idle' } }), []],
    ['the end of the connection', event({ type: 'session_down' }), []],
    ['a new handshake', { type: 'greeting', prompts: [] } as const, []],
    ["nothing of a person's", own('p'), ['p', 'm']],
  ])('goes with %s', (_, end, left) => {
    expect(shown(...parts, end).map(({ id }) => id)).toEqual(left);
  });
});
