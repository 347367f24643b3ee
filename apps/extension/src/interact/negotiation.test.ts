import { systemClock } from '@drawbridge/link';
import { expect, test } from 'vitest';
import {
  type Answer,
  EXAMPLE_ASK,
  FINISH,
  startScriptedServer,
  TOKEN,
} from '../../test/interact/scripted-server.ts';
import { HTML, SKELETON, startTabTasksHarness, stateOf } from '../../test/interact/tab-tasks.ts';
import { createInteractDecider } from './interact-decider.ts';

const click: Answer = {
  body: {
    success: true,
    data: { thought: 'There.', action: 'click(7)', taskId: 'abc-123', sessionId: 'session-1' },
  },
};
const HEAVY = ['dom', 'skeletonDom', 'screenshot', 'screenshotHash', 'semanticNodes'];

/** Runs a task over HTTP against a server written from the contract alone. */
async function run(
  lines: readonly Answer[],
  { semantic = true, query = 'Press Add to cart', isBlind = false } = {},
) {
  const server = await startScriptedServer(lines);
  const decider = createInteractDecider({ url: server.url, token: TOKEN, fetch, clock: systemClock });
  const harness = startTabTasksHarness([], { deciderOf: () => decider, semantic: () => semantic });
  if (isBlind) harness.blind();
  const worker = harness.begin();
  await worker.tasks.start({ tabId: 3, query, from: 'panel' });
  await harness.until(() => worker.tasks.tasks()[3]?.endedAt !== undefined);
  expect(stateOf(worker)).toBe('completed');
  return { calls: server.calls(), clicks: harness.clicks };
}

test('[INT-76] [INT-78] [INT-79] [INT-238] [INT-267] [INT-274] every call has the whole tree and nothing heavier', async () => {
  const { calls, clicks } = await run([click, click, FINISH]);
  expect(calls).toHaveLength(3);
  for (const call of calls) {
    expect(call).toMatchObject({
      ...{ url: 'https://shop.test/', query: 'Press Add to cart', domMode: 'semantic', tabId: 3 },
      interactiveTree: [{ i: '7', r: 'btn', n: 'Add to cart' }],
    });
    for (const heavy of HEAVY) expect(call).not.toHaveProperty(heavy);
  }
  expect(calls[0]).not.toHaveProperty('taskId');
  expect(calls[2]).toMatchObject({
    ...{ taskId: 'abc-123', sessionId: 'session-1', previousUrl: 'https://shop.test/' },
    ...{ lastActionStatus: 'success', lastActionResult: { success: true, actualState: 'click: done' } },
    clientObservations: { didNetworkOccur: true, didDomMutate: true, didUrlChange: false },
    ...{ verification_passed: true, verification_message: 'click: done' },
    ...{ errors_detected: [], success_messages: [] },
  });
  expect(clicks).toHaveLength(2);
});

const asked = (data: object): Answer => ({ body: { success: true, data } });
const FULL = { dom: HTML };
const HYBRID = { skeletonDom: SKELETON, screenshot: '/9j/4AAQ' };

test.each([
  ['the example of the contract', { body: EXAMPLE_ASK }, HYBRID],
  ['hybrid', asked({ status: 'needs_context', requestedDomMode: 'hybrid' }), HYBRID],
  ['skeleton', asked({ status: 'needs_context', requestedDomMode: 'skeleton' }), { skeletonDom: SKELETON }],
  ['full', asked({ status: 'needs_context', requestedDomMode: 'full' }), FULL],
  ['the older status', asked({ status: 'needs_full_dom' }), FULL],
  ['the older action', asked({ thought: 'More.', action: 'needs_full_dom' }), FULL],
  ['the older action alone', asked({ action: 'needs_full_dom()' }), FULL],
  ['without an envelope', { body: { status: 'needs_full_dom' } }, FULL],
] as const)(
  '[INT-103] [INT-106] [INT-107] [INT-267] [INT-274] asked for more (%s), the same call goes again with just that',
  async (_how, ask, more) => {
    const { calls } = await run([click, ask, click, FINISH]);
    const [, once, again, after] = calls;
    expect(again).toEqual({ ...once, ...more });
    for (const heavy of HEAVY) expect(after).not.toHaveProperty(heavy);
  },
);

test('[INT-272] continues without a picture that cannot be taken', async () => {
  const { calls, clicks } = await run([{ body: EXAMPLE_ASK }, click, FINISH], { isBlind: true });
  expect(calls[1]).toMatchObject({ skeletonDom: SKELETON });
  expect(calls[1]).not.toHaveProperty('screenshot');
  expect(clicks).toHaveLength(1);
});

test('[INT-109] [INT-267] [INT-274] without semantic capture, the query decides between skeleton and hybrid', async () => {
  const plain = await run([click, FINISH], { semantic: false });
  const visual = await run([click, FINISH], {
    semantic: false,
    query: 'Click the gear icon on the right',
  });
  for (const call of plain.calls) {
    expect(call).toMatchObject({ domMode: 'skeleton', skeletonDom: SKELETON });
    for (const other of ['interactiveTree', 'dom', 'screenshot']) expect(call).not.toHaveProperty(other);
  }
  expect(visual.calls).toMatchObject([
    { domMode: 'hybrid', skeletonDom: SKELETON, screenshot: '/9j/4AAQ' },
    { domMode: 'hybrid', skeletonDom: SKELETON, screenshot: null },
  ]);
  expect(plain.clicks).toHaveLength(1);
});

test('[INT-75] retries a failing server with the same key, and acts once', async () => {
  const busy: Answer = { status: 409, body: { success: false, code: 'task_busy', message: 'Wait.' } };
  const server = await startScriptedServer([busy, click, FINISH]);
  const decider = createInteractDecider({ url: server.url, token: TOKEN, fetch, clock: systemClock });
  const harness = startTabTasksHarness([], { deciderOf: () => decider, clock: systemClock });
  const worker = harness.begin();
  await worker.tasks.start({ tabId: 3, query: 'Press it', from: 'panel' });
  await harness.until(() => stateOf(worker) === 'completed');
  const keys = server.came.map(({ headers }) => headers['idempotency-key']);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(server.came[1]?.text).toBe(server.came[0]?.text);
  expect(harness.clicks).toHaveLength(1);
});

test('a final refusal ends the task at once, with a message', async () => {
  const server = await startScriptedServer([
    { status: 401, body: { success: false, code: 'unauthorized', message: 'This device is not known.' } },
  ]);
  const decider = createInteractDecider({ url: server.url, token: TOKEN, fetch, clock: systemClock });
  const harness = startTabTasksHarness([], { deciderOf: () => decider });
  const worker = harness.begin();
  await worker.tasks.start({ tabId: 3, query: 'Press it', from: 'panel' });
  await harness.until(() => stateOf(worker) === 'failed');
  expect(worker.tasks.tasks()[3]?.message).toContain('This device is not known.');
  expect(server.came).toHaveLength(1);
});
