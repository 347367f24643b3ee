import { type InteractRequest, interactRequest } from '@drawbridge/protocol';
import {
  type BodyCall,
  createCallBody,
  createTaskControl,
  type DeciderAnswer,
  replayTrace,
  runTask,
  type TaskStepEvent,
} from '@drawbridge/runtime/task';
import { startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, shopMap, startBrowserHarness } from './browser-harness.ts';

let shop: Awaited<ReturnType<typeof startShop>>;
let harness: BrowserHarness;

beforeAll(async () => {
  shop = await startShop();
  harness = await startBrowserHarness({
    maps: shopMap(shop.url),
    asker: answeringPerson(() => 'once'),
    args: ['--window-size=1280,1100'],
  });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await shop.close();
});

const call: BodyCall = (name, args, signal, timeout_ms) => {
  const pending = harness.bridge.call({ name, arguments: { ...args }, ...(timeout_ms && { timeout_ms }) });
  signal.addEventListener('abort', () => pending.cancel(), { once: true });
  return pending.output;
};

type Line = (request: InteractRequest) => Partial<DeciderAnswer> | Promise<Partial<DeciderAnswer>>;

/** Runs a task whose decider gives these answers in order, and finishes after them. */
async function run(lines: readonly Line[], calls: BodyCall = call) {
  const requests: InteractRequest[] = [];
  const events: TaskStepEvent[] = [];
  const outcome = await runTask({
    task: { taskId: 'task-1', query: 'Buy the dusk table lamp', maxSteps: 20 },
    page: createCallBody(calls, { thumbnails: true }),
    decider: {
      interact: async (request) => {
        requests.push(interactRequest.read(request));
        const line = lines[requests.length - 1] ?? (() => ({ action: 'finish()' }));
        return { thought: '', action: 'finish()', ...(await line(request)) } as DeciderAnswer;
      },
    },
    clock: { now: () => Date.now(), after: (ms, wake) => clearTimeout.bind(undefined, setTimeout(wake, ms)) },
    control: createTaskControl(),
    onEvent: (event) => {
      events.push(event);
    },
  });
  return { outcome, requests, events };
}

function idOf({ interactiveTree = [] }: InteractRequest, name: RegExp): string {
  const node = interactiveTree.find(({ n }) => name.test(n));
  if (node === undefined) throw new Error(`Nothing is called ${name}: ${interactiveTree.map(({ n }) => n)}`);
  return node.i;
}

const press =
  (name: RegExp): Line =>
  (request) => ({ action: `click("${idOf(request, name)}")` });
const write =
  (name: RegExp, text: string): Line =>
  (request) => ({ action: `setValue("${idOf(request, name)}", ${JSON.stringify(text)})` });

const ADDRESS = {
  email: 'buyer@example.com',
  name: 'Demo Buyer',
  street: 'Harbour Street 1',
  postcode: '10115',
  city: 'Berlin',
  country: 'Germany',
};
const CARD = { 'Card number': '4242 4242 4242 4242', Expiry: '08/30', CVC: '123' };

test('[INT-122] [INT-242] a lamp is bought step by step, and put into the cart again from the trace alone', async () => {
  await harness.goto(`${shop.url}/`);
  const { outcome, requests, events } = await run([
    () => ({ action: `navigate("${shop.url}/search?q=lamp")` }),
    async (request) => {
      const id = idOf(request, /^Dusk table lamp/);
      // The list is rendered again between the decision and the press, and its ids stay (INT-297).
      await harness.call('element.fill', { id: idOf(request, /^Search/), text: 'dusk' });
      return { action: `click("${id}")` };
    },
    press(/^Add to cart/),
    () => ({ action: `navigate("${shop.url}/checkout")` }),
    () => ({ action: `call("checkout.deliver", ${JSON.stringify(ADDRESS)})` }),
    ...Object.entries(CARD).map(([name, text]) => write(new RegExp(`^${name}`), text)),
    press(/^Pay /),
  ]);
  expect(outcome).toMatchObject({ status: 'completed' });
  // On a loaded machine a page may react later than the press is watched.
  const problems = outcome.trace.steps.flatMap(({ error }) => error?.message ?? []);
  expect(problems.filter((message) => !message.includes('no change seen'))).toEqual([]);
  expect(outcome.trace.steps).toHaveLength(9);
  expect(shop.orders()).toHaveLength(1);

  expect(requests[2]?.tools?.map(({ name }) => name)).toContain('cart.add');
  expect(requests[2]).toMatchObject({
    lastActionStatus: 'success',
    clientObservations: { didUrlChange: true },
  });
  expect(outcome.trace.steps[1]).toMatchObject({
    after: { title: expect.stringContaining('Dusk table lamp') },
  });
  expect(outcome.trace.steps[2]?.events.join()).toContain('is in your cart');
  expect(requests[3]?.recentEvents?.join()).toContain('is in your cart');
  expect(events.filter(({ thumbnail }) => thumbnail !== undefined)).toHaveLength(9);
  const kept = JSON.stringify([outcome, events.map(({ thumbnail: _, ...event }) => event)]);
  expect(kept).not.toContain(CARD['Card number']);

  await harness.call('browser.navigate', { url: `${shop.url}/` });
  const toTheCart = { ...outcome.trace, steps: outcome.trace.steps.slice(0, 3) };
  const replayed = await replayTrace(toTheCart, createCallBody(call));
  if (!replayed.ok)
    expect(replayed).toMatchObject({
      done: 2,
      problem: { message: expect.stringContaining('no change seen') },
    });
  await expect
    .poll(() => harness.call('actions.site', { mode: 'state_read', projection_name: 'shop.cart_badge' }))
    .toMatchObject({ state: { count: 1 } });
});

test('[INT-124] [INT-128] [INT-129] [INT-232] reports a covered button, a stale id, and an ambiguous selector', async () => {
  await harness.goto(`${shop.url}/corners/hostile#targets`);
  const { requests, outcome } = await run([
    press(/^Cover them/),
    press(/^Keep the lantern/),
    () => ({ action: 'click("gone")', actionDetails: { name: 'click', selectorPath: '#targets button' } }),
    () => ({ action: 'click("gone")', actionDetails: { name: 'click', selectorPath: '#nothing-here' } }),
    () => ({ action: `navigate("${shop.url}/corners/toasts")` }),
    () => ({ action: 'click("gone")', actionDetails: { name: 'click', selectorPath: '[data-ms="400"]' } }),
  ]);
  expect(requests[2]).toMatchObject({
    lastActionStatus: 'failure',
    lastActionError: { code: 'covered', message: expect.stringContaining('sly-cover') },
  });
  for (const index of [3, 4]) expect(requests[index]).toMatchObject({ lastActionStatus: 'failure' });
  expect(outcome.trace.steps.at(-1)).toMatchObject({ status: 'ok', healed: { by: 'selector' } });
  // The message was visible for 0.4 s and is still reported.
  await harness.call('page.wait', { for: 'text_gone', text: 'Copied.' });
  expect(requests[6]?.recentEvents?.join()).toContain('Copied.');
});

test('[INT-255] [INT-268] [INT-270] [INT-272] the server gets the artifacts it asks for, and continues without a picture', async () => {
  await harness.goto(`${shop.url}/corners/toasts`);
  const ask: Line = () => ({ status: 'needs_context', requestedDomMode: 'hybrid' });
  const { requests } = await run([ask, () => ({ action: 'wait()' }), ask]);
  expect(requests[1]?.screenshot).toMatch(/^\/9j\//);
  expect(requests[1]?.skeletonDom).toContain('>Two seconds<');
  expect(requests[2]).not.toHaveProperty('screenshot');
  expect(requests[3]?.screenshot).toBeNull();

  await harness.goto('about:blank');
  const nothing = await run([]);
  expect(nothing.requests).toMatchObject([{ url: 'about:blank', interactiveTree: [], semanticNodes: [] }]);
  expect(nothing.requests[0]).toHaveProperty('dom');

  const blind: BodyCall = (name, args, signal) =>
    name === 'browser.screenshot' ? call('browser.no_such_thing', args, signal) : call(name, args, signal);
  const without = await run([ask], blind);
  expect(without.requests[1]).not.toHaveProperty('screenshot');
  expect(without.requests[1]).toHaveProperty('skeletonDom');
  expect(without.outcome.status).toBe('completed');
});
