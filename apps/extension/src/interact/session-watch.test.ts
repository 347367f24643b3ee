import { createRequire } from 'node:module';
import { systemClock } from '@drawbridge/link';
import type { InteractRequest } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startPairedRelay } from '../../test/interact/paired-relay.ts';
import { startScriptedServer, TOKEN } from '../../test/interact/scripted-server.ts';
import { createInteractDecider } from './interact-decider.ts';
import { createSessionPush, type PusherClass } from './session-push.ts';
import { type SessionView, watchSession } from './session-watch.ts';
import { createSessions } from './sessions.ts';

/** The unmodified client, in its build for Node. */
const pusher: PusherClass = createRequire(import.meta.url)('pusher-js');
const { signal } = new AbortController();

const FIRST: InteractRequest = {
  url: 'https://www.google.com/search',
  query: 'Click the "Search" button',
  domMode: 'semantic',
  interactiveTree: [
    { i: '42', r: 'btn', n: 'Search' },
    { i: '13', r: 'inp', n: 'Query', v: '' },
  ],
};

/** Records the displayed states. */
function viewer() {
  const looks = new Set<() => void>();
  let view: SessionView = { state: 'loading', messages: [] };
  return {
    view: () => view,
    onView: (next: SessionView) => {
      view = next;
      for (const look of looks) look();
    },
    until: (holds: (view: SessionView) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = () => {
          if (!holds(view)) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      }),
  };
}

test('[INT-172] [INT-173] [INT-195] at the relay: messages from elsewhere appear once and in place', async () => {
  const { relay, server, asked } = await startPairedRelay();
  const decider = createInteractDecider({ ...server, clock: systemClock });
  const { sessionId = '', taskId = '' } = await decider.interact(FIRST, signal, 'first');
  const push = createSessionPush({ server, pusher });
  onTestFinished(push.close);
  const { view, onView, until } = viewer();
  const watch = watchSession({ sessions: createSessions(server), push }, sessionId, onView);
  onTestFinished(watch.close);
  await until(({ state }) => state === 'there');
  const begun = view().messages;
  expect(begun.map(({ role }) => role)).toEqual(['user', 'system', 'assistant']);
  // Subscribed once the list was loaded again.
  const loads = () => asked.filter((path) => path.endsWith('/messages')).length;
  await expect.poll(loads).toBe(2);

  const done: InteractRequest = {
    ...{ ...FIRST, taskId, url: 'https://www.google.com/results', previousUrl: FIRST.url },
    ...{ lastActionStatus: 'success', clientObservations: { didUrlChange: true } },
    interactiveTree: [{ i: '7', r: 'link', n: 'SpaceX' }],
  };
  expect(await decider.interact(done, signal, 'second')).toMatchObject({ action: 'finish()' });
  await until(({ messages }) => messages.length > begun.length);
  await expect.poll(loads).toBeGreaterThan(2);
  const [first] = begun;

  const message = (messageId: string, sequenceNumber: number, content: string) => ({
    ...{ messageId, sequenceNumber, content, timestamp: '2026-01-30T10:00:01.000Z' },
  });
  const say = (said: object) =>
    relay.pusher.trigger(sessionId, 'new_message', { type: 'new_message', sessionId, message: said });
  say(message('pushed', 99, 'Navigating to Google...'));
  say({ ...message(first?.messageId ?? '', 0, 'The same, said anew'), role: 'user' });
  say({ no: 'message' });
  await until(({ messages }) => messages[0]?.content === 'The same, said anew');
  const shown = view().messages;
  expect(shown[0]).toMatchObject({ messageId: first?.messageId, role: 'user' });
  expect(shown.at(-1)).toEqual({ ...message('pushed', 99, 'Navigating to Google...'), role: 'assistant' });
  expect(new Set(shown.map(({ messageId }) => messageId)).size).toBe(shown.length);
  const numbers = shown.map(({ sequenceNumber = -1 }) => sequenceNumber);
  expect(numbers).toEqual([...numbers].sort((one, other) => one - other));

  const loaded = loads();
  relay.pusher.trigger(sessionId, 'interact_response', { type: 'interact_response', sessionId });
  await expect.poll(loads).toBeGreaterThan(loaded);
});

test('[INT-173] connects once a relay that was offline is back', async () => {
  const { relay, server } = await startPairedRelay();
  const decider = createInteractDecider({ ...server, clock: systemClock });
  const { sessionId = '' } = await decider.interact(FIRST, signal, 'first');
  const clock = createFakeClock();
  let isAway = true;
  const at = {
    ...server,
    fetch: (url: string, init: RequestInit) =>
      isAway ? Promise.reject(new TypeError('Failed to fetch')) : server.fetch(url, init),
  };
  const after = (ms: number, run: () => void) => {
    const handle = clock.setTimeout(run, ms);
    return () => clock.clearTimeout(handle);
  };
  const push = createSessionPush({ server: at, pusher, clock: { now: clock.now, after } });
  onTestFinished(push.close);
  const { onView, until } = viewer();
  onTestFinished(watchSession({ sessions: createSessions(at), push }, sessionId, onView).close);
  await until(({ state }) => state === 'failed');
  await expect.poll(clock.pending).toBe(1);
  isAway = false;
  clock.advance(10_000);
  await until(({ state, messages }) => state === 'there' && messages.length > 0);
  const rest = { messageId: 'pushed', content: 'Hello', timestamp: '2026-01-30T10:00:01.000Z' };
  relay.pusher.trigger(sessionId, 'new_message', { type: 'new_message', sessionId, message: rest });
  await until(({ messages }) => messages.at(-1)?.messageId === 'pushed');
});

test('ignores another device’s session, and continues', async () => {
  const { relay, server } = await startPairedRelay();
  const decider = createInteractDecider({ ...server, clock: systemClock });
  const { sessionId = '' } = await decider.interact(FIRST, signal, 'first');
  const { token } = await relay.devices.mint({ roles: ['runtime'], label: 'Other', by: 'machine' });
  const other = { ...server, token };
  const push = createSessionPush({ server: other, pusher });
  onTestFinished(push.close);
  const { view, onView, until } = viewer();
  watchSession({ sessions: createSessions(other), push }, sessionId, onView);
  await until(({ state }) => state === 'there');
  expect(view().messages).toEqual([]);
});

test('[INT-174] without push, loads the list and refreshes on demand', async () => {
  const messages = [
    { messageId: 'a', role: 'user', content: 'Go', sequenceNumber: 0, timestamp: '2026-01-30T10:00:00.000Z' },
  ];
  let status = 200;
  const server = await startScriptedServer([], {
    'GET /api/session/s-1/messages': () => ({ status, body: { sessionId: 's-1', messages, total: 1 } }),
  });
  const at = { url: server.url, token: TOKEN, fetch };
  const push = createSessionPush({ server: at, pusher });
  onTestFinished(push.close);
  const { view, onView, until } = viewer();
  const watch = watchSession({ sessions: createSessions(at), push }, 's-1', onView);
  await until(({ state }) => state === 'there');
  messages.push({ ...messages[0], messageId: 'b', sequenceNumber: 1, content: 'Gone' } as never);
  watch.refresh();
  await until((seen) => seen.messages.length === 2);
  status = 500;
  watch.refresh();
  await until(({ state }) => state === 'failed');
  expect(view()).toMatchObject({ messages: [{ messageId: 'a' }, { messageId: 'b' }] });
  watch.close();
  watch.refresh();
});
