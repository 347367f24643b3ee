import { systemClock } from '@drawbridge/link';
import type { InteractRequest } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { example } from '../../test/interact/contract-examples.ts';
import {
  EXAMPLE_ANSWER,
  EXAMPLE_ASK,
  startScriptedServer,
  TOKEN,
} from '../../test/interact/scripted-server.ts';
import { createInteractDecider, type InteractDeciderOptions } from './interact-decider.ts';

const REQUEST: InteractRequest = {
  url: 'https://google.com/',
  query: 'Search for SpaceX',
  domMode: 'semantic',
  interactiveTree: [
    { i: '12', r: 'link', n: 'Gmail', xy: [900, 20] },
    { i: '14', r: 'inp', n: 'Search', v: 'SpaceX', xy: [400, 300] },
    { i: '15', r: 'btn', n: 'Google Search', xy: [400, 350] },
  ],
};
const { signal } = new AbortController();

const deciderAt = (url: string, more: Partial<InteractDeciderOptions> = {}) =>
  createInteractDecider({ url, token: TOKEN, fetch, clock: systemClock, ...more });

test("sends the contract's call with the device and a key", async () => {
  const server = await startScriptedServer([{ body: EXAMPLE_ANSWER }]);
  const answer = await deciderAt(server.url).interact(REQUEST, signal, 'task-1:0:1000');
  expect(answer).toEqual(EXAMPLE_ANSWER.data);
  const [{ method, path, headers, text } = { text: '', headers: {}, method: '', path: '' }] = server.came;
  expect({ method, path }).toEqual({ method: 'POST', path: '/api/agent/interact' });
  expect(headers).toMatchObject({
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'idempotency-key': 'task-1%3A0%3A1000',
  });
  expect(JSON.parse(text)).toEqual(REQUEST);
});

const SET_VALUE = example('interact-response/bare_step.set_value');

test.each([
  ['[INT-43] without the envelope', SET_VALUE, SET_VALUE],
  ['[INT-43] the bare two fields', example('interact-response/bare_step.click'), { action: 'click(7)' }],
  ['with null for what is missing', { success: true, data: { ...SET_VALUE, plan: null } }, SET_VALUE],
  ['an ask', EXAMPLE_ASK, EXAMPLE_ASK.data],
  [
    '[INT-42] an ask alone',
    { success: true, data: { status: 'needs_full_dom' } },
    { status: 'needs_full_dom' },
  ],
  ['[INT-43] an ask without the envelope', { status: 'needs_full_dom' }, { status: 'needs_full_dom' }],
  [
    '[INT-106] an ask in action, and nothing else',
    { success: true, data: { action: 'needs_full_dom' } },
    { status: 'needs_full_dom' },
  ],
  [
    '[INT-106] an ask in action, written as a call',
    { success: true, data: { thought: 'Hm', action: 'needs_context()', requestedDomMode: 'hybrid' } },
    { status: 'needs_context', requestedDomMode: 'hybrid' },
  ],
])('an answer is read: %s', async (_name, body, answer) => {
  const server = await startScriptedServer([{ body }]);
  expect(await deciderAt(server.url).interact(REQUEST, signal, 'k')).toMatchObject(answer);
});

const refused = (code: string) => ({ success: false, code, message: 'Told so.' });

test.each([
  [400, refused('invalid_request'), 'invalid_request', false],
  [401, refused('unauthorized'), 'unauthorized', false],
  [401, { error: 'Told so.' }, 'unauthorized', false],
  [403, refused('forbidden'), 'forbidden', false],
  [404, refused('task_not_found'), 'task_not_found', false],
  [404, refused('session_not_found'), 'session_not_found', false],
  [409, refused('task_busy'), 'task_busy', true],
  [409, refused('cancelled'), 'cancelled', false],
  [413, refused('body_too_large'), 'body_too_large', false],
  [429, refused('rate_limited'), 'rate_limited', true],
  [500, refused('internal'), 'internal', true],
  [502, refused('brain_failed'), 'brain_failed', true],
  [503, refused('unavailable'), 'unavailable', false],
  [200, refused('out_of_coffee'), 'handler_failed', false],
  [504, '<h1>Bad gateway</h1>', 'handler_failed', true],
  [200, '<h1>Welcome</h1>', 'invalid_result', false],
  [200, { success: true, data: { thought: 'No action' } }, 'invalid_result', false],
])('[INT-40] %s %j is %s, and whether it may pass: %s', async (status, body, code, recoverable) => {
  const server = await startScriptedServer([{ status, body }]);
  const error = await deciderAt(server.url)
    .interact(REQUEST, signal, 'k')
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'BridgeError', code, recoverable });
  if (JSON.stringify(body).includes('Told so')) expect(error).toMatchObject({ message: 'Told so.' });
});

test('an unreachable server is recoverable', async () => {
  const server = await startScriptedServer([]);
  await server.close();
  await expect(deciderAt(server.url).interact(REQUEST, signal, 'k')).rejects.toMatchObject({
    code: 'transport_failed',
    recoverable: true,
    message: expect.stringContaining(server.url),
  });
});

test('[INT-75] repeats a late call with the same key and body', async () => {
  const clock = createFakeClock();
  const after = (ms: number, run: () => void) => {
    const handle = clock.setTimeout(run, ms);
    return () => clock.clearTimeout(handle);
  };
  const server = await startScriptedServer(['hang', 'hang', { body: EXAMPLE_ANSWER }]);
  const decider = deciderAt(server.url, { clock: { now: clock.now, after } });
  const answer = decider.interact(REQUEST, signal, 'task 1 ä');
  await expect.poll(() => server.came).toHaveLength(1);
  clock.advance(25_000);
  await expect.poll(() => server.came).toHaveLength(2);
  clock.advance(25_000);
  expect(await answer).toMatchObject({ action: 'click(42)' });
  expect(new Set(server.came.map(({ headers }) => headers['idempotency-key']))).toEqual(
    new Set(['task%201%20%C3%A4']),
  );
  expect(new Set(server.came.map(({ text }) => text)).size).toBe(1);
  expect(clock.pending()).toBe(0);

  const silent = await startScriptedServer(['hang']);
  const patience = { clock: { now: clock.now, after }, attempts: 1 };
  const never = deciderAt(silent.url, patience).interact(REQUEST, signal, 'k');
  await expect.poll(() => silent.came).toHaveLength(1);
  clock.advance(25_000);
  await expect(never).rejects.toMatchObject({ code: 'handler_timeout', recoverable: false });
});

test('ends a cancelled call at once', async () => {
  const server = await startScriptedServer(['hang']);
  const abort = new AbortController();
  const answer = deciderAt(server.url).interact(REQUEST, abort.signal, 'k');
  await expect.poll(() => server.came).toHaveLength(1);
  abort.abort('Stopped.');
  await expect(answer).rejects.toBe('Stopped.');
});
