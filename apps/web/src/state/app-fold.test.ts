import type { ChatEvent, SendFrame } from '@drawbridge/link/chat';
import { type ChatFrame, TASK_SIGNATURE } from '@drawbridge/protocol';
import { en } from '@drawbridge/ui/model';
import { expect, test } from 'vitest';
import { foldApp } from './app-fold.ts';
import { type AppState, INITIAL_STATE, type Input } from './app-state.ts';
import { DEFAULT_PREFERENCES, type Preferences, parsePreferences } from './preferences.ts';
import { tailOf } from './remembered.ts';
import { conversationRows } from './rows.ts';
import { inOrderOf, matches, sessionRows, unreadIn } from './session-list.ts';

const AT = '2026-03-01T10:00:00.000Z';
const frame = (fields: object): Input => ({
  type: 'frame',
  frame: { protocol_version: 1, ...fields } as unknown as ChatFrame,
});
let sequence = 0;
const event = (fields: object): Input => {
  sequence += 1;
  const stamped = { event_id: `e${sequence}`, sequence, ...fields };
  return { type: 'event', event: stamped as unknown as ChatEvent };
};
const session = (session_id: string, more: object = {}) => ({
  session_id,
  agent_type: 'codex',
  status: 'healthy',
  ...more,
});
const listed = (...sessions: readonly object[]) => frame({ type: 'session_snapshot', sessions });
const said = (session_id: string, message_id: string, more: object = {}) =>
  event({
    type: 'message_event',
    session_id,
    message: { message_id, role: 'assistant', content: message_id, created_at: AT, ...more },
  });
const prompt = { prompt_id: 'p', prompt_text: 'Run it?\nmore', choices: [{ choice_id: 'no', label: 'No' }] };
const fold = (...inputs: readonly Input[]): AppState => foldApp(INITIAL_STATE, inputs);
const groups = (state: AppState, preferences: Preferences = DEFAULT_PREFERENCES) =>
  sessionRows(state, preferences, en).map(({ session_id, group }) => `${session_id} ${group}`);

test('sorts waiting sessions first, then working ones, then the rest', () => {
  const state = fold(
    listed(
      session('quiet'),
      session('working', { activity: { kind: 'generating' } }),
      session('away', { status: 'disconnected', activity: { kind: 'generating' } }),
      session('asked'),
    ),
    event({ type: 'permission_prompt', session_id: 'asked', ...prompt }),
  );
  expect(groups(state)).toEqual(['asked needs', 'working working', 'away quiet', 'quiet quiet']);
  expect(sessionRows(state, DEFAULT_PREFERENCES, en)[0]).toMatchObject({ line: 'Run it?\nmore', waits: 1 });
});

test('no row moves under a pointer: rows keep their order and groups, and hidden ones appear', () => {
  const rows = (...inputs: readonly Input[]) => {
    const task = session('task', { target_signature: TASK_SIGNATURE });
    return sessionRows(fold(listed(session('a'), session('b'), task), ...inputs), DEFAULT_PREFERENCES, en);
  };
  const asked = (session_id: string) => event({ type: 'permission_prompt', session_id, ...prompt });
  const now = rows(asked('b'), asked('task'), frame({ type: 'session_up', session: session('new') }));
  expect(
    now
      .map(({ session_id }) => session_id)
      .slice(0, 2)
      .toSorted(),
  ).toEqual(['b', 'task']);
  const held = inOrderOf(rows(), now);
  expect(held.map(({ session_id, group, waits }) => `${session_id} ${group} ${waits}`)).toEqual([
    'a quiet 0',
    'b quiet 1',
    'task needs 1',
    'new quiet 0',
  ]);
});

test('[TSK-65] keeps tasks out of the sessions unless they wait for a person, and calls no finished one away', () => {
  const target_signature = TASK_SIGNATURE;
  const state = fold(
    listed(
      session('running', { target_signature, activity: { kind: 'generating' } }),
      session('over', { target_signature, status: 'disconnected' }),
      session('asked', { target_signature }),
      session('agent', { status: 'disconnected' }),
    ),
    event({ type: 'permission_prompt', session_id: 'asked', ...prompt }),
  );
  expect(groups(state)).toEqual(['asked needs', 'agent quiet', 'over task', 'running task']);
  expect(sessionRows(state, DEFAULT_PREFERENCES, en).filter(({ isAway }) => isAway)).toMatchObject([
    { session_id: 'agent' },
  ]);
});

test('hides archived sessions unless they wait for a person; pinned ones lead their group', () => {
  const preferences = { ...DEFAULT_PREFERENCES, archived: ['a', 'b'], pinned: ['d'], names: { d: 'My own' } };
  const state = fold(
    listed(session('a'), session('b'), session('c'), session('d')),
    event({ type: 'permission_prompt', session_id: 'b', ...prompt }),
  );
  expect(groups(state, preferences)).toEqual(['b needs', 'd quiet', 'c quiet', 'a archived']);
  expect(sessionRows(state, preferences, en)[1]).toMatchObject({ name: 'My own', isPinned: true });
});

test('[CHT-125] [CHT-264] names a session as people do, never by its target', () => {
  const names = (target_id: string) =>
    sessionRows(
      fold(
        listed(
          session('a', { display_name: 'Shop', target_id }),
          session('b', { window_title: 'bridge', target_id }),
          session('c', { agent_name: 'opencode', target_id }),
          session('d', { target_id }),
        ),
      ),
      DEFAULT_PREFERENCES,
      en,
    ).map(({ name, location }) => name + location);
  expect(names('t1')).toEqual(['bridge', 'Codex', 'opencode', 'Shop']);
  expect(names('t2')).toEqual(names('t1'));
});

test('shows a step as a sentence, as the last line of its session', () => {
  const details = { kind: 'step', task_id: 'k', index: 0, action: 'press(8, "Enter")', status: 'ok' };
  const line = (more: object) => {
    const step = { metadata: { details: { ...details, ...more } } };
    return sessionRows(fold(listed(session('a')), said('a', 'm', step)), DEFAULT_PREFERENCES, en)[0]?.line;
  };
  expect(line({})).toBe('Press the key Enter in element 8');
  expect(line({ subject: 'Search' })).toBe('Press the key Enter in “Search”');
});

test('searches name, place, agent and last line', () => {
  const [row] = sessionRows(
    fold(listed(session('a', { display_name: 'Shop', workspace_name: 'web', machine_label: 'studio' }))),
    DEFAULT_PREFERENCES,
    en,
  );
  expect(row && [matches(row, 'stu SHOP'), matches(row, 'codex web'), matches(row, 'nowhere')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('[CHT-203] removes a closed session, and one missing from a snapshot', () => {
  const state = fold(
    listed(session('a'), session('b')),
    said('a', 'm'),
    event({ type: 'session_closed', session_id: 'a' }),
  );
  expect([...state.sessions.keys()]).toEqual(['b']);
  expect(state.talks.get('a')).toMatchObject({ isClosed: true, entries: [{ id: 'm' }] });
  expect(foldApp(state, [listed()]).talks.get('b')).toMatchObject({ isClosed: true });
});

test('keeps a session whose proxy is disconnected, and does not show it as working', () => {
  const state = fold(
    listed(session('a', { activity: { kind: 'generating' } })),
    event({ type: 'session_down', session_id: 'a' }),
  );
  expect(state.sessions.get('a')).toEqual(session('a', { status: 'disconnected' }));
});

test('[CHT-195] a launch is starting from session_launching on, also after a reload, and shows why it failed', () => {
  const launching = fold(frame({ type: 'session_launching', request_id: 'r', agent_type: 'claude' }));
  expect(launching.launches.get('r')).toMatchObject({ state: 'starting' });
  const pending = { request_id: 'r', agent_type: 'claude', launched_at: AT, timeout_at: AT };
  const reloaded = fold(frame({ type: 'connection_ack', pending_launches: [pending] }));
  expect(reloaded.launches).toEqual(launching.launches);
  const over = { request_id: 'r', error_code: 'launch_timeout', reason: 'It did not appear.' };
  expect(foldApp(reloaded, [frame({ type: 'session_launch_failed', ...over })]).launches.get('r')).toEqual({
    request_id: 'r',
    agent_type: 'claude',
    state: 'failed',
    reason: 'It did not appear.',
  });
  const ack = { type: 'session_launch_ack', request_id: 'r', session_id: 's' };
  expect(foldApp(reloaded, [frame(ack)]).launches.size).toBe(0);
});

test('a handshake replaces all open prompts: answered ones are gone, and their outcome is shown', () => {
  const state = fold(event({ type: 'permission_prompt', session_id: 'a', ...prompt }));
  const open_prompts = [{ session_id: 'b', ...prompt }];
  const greeted = foldApp(state, [
    frame({ type: 'connection_ack', open_prompts, session_configs: { b: { model_id: 'm' } } }),
  ]);
  expect(greeted.talks.get('a')?.prompts.size).toBe(0);
  expect(greeted.talks.get('b')).toMatchObject({ config: { model_id: 'm' } });
  expect(greeted.talks.get('b')?.prompts.size).toBe(1);
  // The handshake comes first, then missed events.
  const delivered = foldApp(greeted, [
    event({ type: 'permission_prompt_expired', session_id: 'a', prompt_id: 'p', applied_choice: 'no' }),
  ]);
  expect(delivered.talks.get('a')?.entries).toMatchObject([
    { kind: 'settled', text: prompt.prompt_text, outcome: { how: 'expired', choice: 'No' } },
  ]);
});

test("counts as unread only an agent's messages after the last seen one, without its steps", () => {
  const details = {
    metadata: { details: { kind: 'tool_call', tool_call_id: 't', title: 'x', status: 'running' } },
  };
  const conversation = fold(
    said('a', '1'),
    said('a', '2'),
    said('a', 'mine', { role: 'user' }),
    said('a', '3', details),
    said('a', '4'),
  ).talks.get('a');
  expect([
    unreadIn(conversation, '1'),
    unreadIn(conversation, '4'),
    unreadIn(conversation, undefined),
    unreadIn(conversation, 'gone'),
  ]).toEqual([2, 0, 0, 3]);
});

test('rows: a line before new entries, open prompts at the end, then unsent messages', () => {
  const plan = { metadata: { details: { kind: 'plan', steps: [{ text: 'one', status: 'active' }] } } };
  const usage = { metadata: { details: { kind: 'usage', used: 1 } } };
  const sent: SendFrame = {
    type: 'send_message',
    protocol_version: 1,
    client_message_id: 'mine',
    session_id: 'a',
    created_at: AT,
    content: 'hi',
  };
  const conversation = fold(
    said('a', '1'),
    said('a', '2', plan),
    said('a', 'u', usage),
    event({ type: 'permission_prompt', session_id: 'a', ...prompt }),
  ).talks.get('a');
  if (conversation === undefined) throw new Error('No talk.');
  const keys = (dropped: readonly string[], pending = [sent]) =>
    conversationRows(conversation, { pending, dropped, readUpTo: '1' }).map(({ key }) => key);
  expect(keys([])).toEqual(['1', 'unread', '2', 'prompt p', 'mine']);
  expect(keys(['2'], [])).toEqual(['1', 'prompt p']);
  expect(conversation.plan?.steps).toEqual([{ text: 'one', status: 'active' }]);
});

test('rows: everything is new if the last read entry is further back', () => {
  const page = { session_id: 'a', last_sequence: 9, before_sequence: 4 };
  const message = { message_id: '5', role: 'assistant', content: 'five', created_at: AT };
  const conversation = fold(frame({ type: 'history_snapshot', ...page, messages: [message] })).talks.get('a');
  if (conversation === undefined) throw new Error('No talk.');
  const keys = (readUpTo: string | undefined) =>
    conversationRows(conversation, { pending: [], dropped: [], readUpTo }).map(({ key }) => key);
  expect(keys('1')).toEqual(['unread', '5']);
  expect(keys('')).toEqual(['5']);
  expect(keys(undefined)).toEqual(['5']);
});

test('offline it shows the stored state with its time, until the relay sends its own', () => {
  const before = fold(listed(session('a'), session('gone')), said('a', 'm'));
  const conversation = before.talks.get('a');
  if (conversation === undefined) throw new Error('No talk.');
  const remembered = {
    at: 7,
    sessions: [...before.sessions.values()],
    tails: new Map([['a', tailOf(conversation)]]),
  };
  const state = fold({ type: 'recalled', remembered });
  expect(state).toMatchObject({ asOf: 7, isListed: false });
  expect(state.talks.get('a')).toMatchObject({ asOf: 7, entries: [{ id: 'm' }] });
  expect([...state.sessions.keys()]).toEqual(['a', 'gone']);
  const online = foldApp(state, [listed(session('a'))]);
  expect(online.asOf).toBeUndefined();
  expect([...online.sessions.keys()]).toEqual(['a']);
  expect(foldApp(online, [{ type: 'recalled', remembered }]), 'too late, it says nothing').toBe(online);
});

test('shows the time of the last connection once it is lost', () => {
  const link = (kind: 'open' | 'connecting', at: number): Input => ({
    ...{ type: 'link', at },
    state: kind === 'open' ? { kind } : { kind, attempt: 1 },
  });
  const lost = fold(listed(session('a')), link('open', 1), link('connecting', 5), link('connecting', 9));
  expect(lost.asOf).toBe(5);
  expect(foldApp(lost, [link('open', 11), listed(session('a'))]).asOf).toBeUndefined();
});

test('a tail is short, and omits very long entries', () => {
  const said40 = Array.from({ length: 60 }, (_, at) => said('a', `m${at}`));
  const conversation = fold(...said40, said('a', 'long', { content: 'x'.repeat(30_000) })).talks.get('a');
  if (conversation === undefined) throw new Error('No talk.');
  expect(tailOf(conversation).map(({ id }) => id)).toEqual(
    Array.from({ length: 39 }, (_, at) => `m${at + 21}`),
  );
});

test('a closing is shown until it is over', () => {
  const closing = fold({ type: 'closing', session_id: 'a', closing: { state: 'waiting' } });
  expect(closing.closings.get('a')).toEqual({ state: 'waiting' });
  expect(foldApp(closing, [{ type: 'closing', session_id: 'a' }]).closings.size).toBe(0);
});

test('falls back to defaults for damaged or unknown preferences', () => {
  for (const text of [null, '', 'null', '[]', '{"theme":7,"pinned":"x","read":[1]}', '{']) {
    expect(parsePreferences(text)).toEqual(DEFAULT_PREFERENCES);
  }
  expect(parsePreferences('{"theme":"dark","pinned":["a",7],"read":{"a":"m","b":1}}')).toMatchObject({
    theme: 'dark',
    pinned: ['a'],
    read: { a: 'm' },
  });
});

test('[CHT-351] keeps the latest list of chats of a session until the next handshake', () => {
  const chats = [{ id: 'c1', kind: 'chat', title: 'Fix the tests', active: true }];
  const list = (titles: readonly object[]) => frame({ type: 'chat_list', session_id: 'a', chats: titles });
  const state = fold(list([]), list(chats));
  expect(state.chatLists.get('a')).toEqual(chats);
  const greeted = foldApp(state, [frame({ type: 'connection_ack' })]);
  expect(greeted.chatLists.size).toBe(0);
});
