import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import type { RelayOptions } from '@drawbridge/relay';
import { listenOnLoopback, openPage, startShop } from '@drawbridge/testbed';
import { build } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type LentPage, lendPage } from '../../test/interact/lent-page.ts';
import { scriptedBrain, startPairedRelay } from '../../test/interact/paired-relay.ts';
import { storedInMemory } from '../../test/interact/tab-tasks.ts';
import { createInteractDecider } from './interact-decider.ts';
import { createSessions } from './sessions.ts';
import { createTabSessions } from './tab-sessions.ts';
import { createTabTasks } from './tab-tasks.ts';

let shop: Awaited<ReturnType<typeof startShop>>;
let lent: LentPage;
beforeAll(async () => {
  shop = await startShop();
  lent = await lendPage(shop.url);
});
afterAll(async () => {
  await lent[Symbol.asyncDispose]();
  await shop.close();
});

interface RunOptions extends Partial<RelayOptions> {
  readonly semantic?: boolean;
}

/** A task on the shop's page, decided by the relay over HTTP, by rules by default. */
async function run(query: string, { semantic = true, ...options }: RunOptions = {}) {
  const { server } = await startPairedRelay(options);
  const bodies: string[] = [];
  const watched = {
    ...server,
    fetch: (url: string, init: RequestInit) => {
      if (url.endsWith('/api/agent/interact')) bodies.push(String(init.body));
      return server.fetch(url, init);
    },
  };
  const decider = createInteractDecider({ ...watched, clock: systemClock });
  const storage = storedInMemory();
  const sessions = createTabSessions(storage);
  const over = Promise.withResolvers<void>();
  const tasks = createTabTasks({
    ...{ storage, sessions, clock: systemClock, newId: () => 'task-1' },
    ...{ callOf: () => lent.call, deciderOf: () => decider, semantic: () => semantic },
    onChange: () => tasks.tasks()[3]?.endedAt !== undefined && over.resolve(),
  });
  await tasks.start({ tabId: 3, query, from: 'panel' });
  await over.promise;
  const task = tasks.tasks()[3];
  const calls = bodies.map((body) => JSON.parse(body));
  return { task, calls, sessionId: (await sessions.of(3)) ?? '', server };
}

test('[INT-76] [INT-81] [INT-151] a real page, the relay and its rules: two lamps are in the cart', async () => {
  await lent.goto(`${shop.url}/products/dusk-table-lamp`);
  const { task, calls, sessionId, server } = await run('add two lamps to the cart');
  expect(task).toMatchObject({ state: 'completed', plan: { steps: expect.anything() } });
  for (const call of calls) {
    expect(call).toMatchObject({ domMode: 'semantic', pageTitle: expect.any(String), tabId: 3 });
    expect(call.interactiveTree.length).toBeGreaterThan(0);
    for (const heavy of ['dom', 'skeletonDom', 'screenshot']) expect(call).not.toHaveProperty(heavy);
  }
  expect(calls[1]).toMatchObject({ lastActionStatus: 'success', verification_passed: true, sessionId });
  const messages = await createSessions(server).messages(sessionId);
  expect(messages.map(({ actionString }) => actionString ?? '').join()).toMatch(/setValue.*click.*finish/);
});

test('[INT-103] [INT-267] [INT-268] sends one fitting picture on request, and no more after that', async () => {
  await lent.goto(`${shop.url}/products/dusk-table-lamp`);
  const ask = { status: 'needs_context', requestedDomMode: 'hybrid', reason: 'Which is blue?' } as const;
  const wait = { thought: '', action: 'scroll("down")', status: 'executing' } as const;
  const brain = scriptedBrain([ask, wait]);
  const { calls, task } = await run('Click the blue button', { brain: () => brain });
  expect(task?.state).toBe('completed');
  expect(calls).toHaveLength(3);
  for (const heavy of ['dom', 'skeletonDom', 'screenshot']) {
    expect(calls[0]).not.toHaveProperty(heavy);
    expect(calls[2]).not.toHaveProperty(heavy);
  }
  const { screenshot, skeletonDom, interactiveTree } = calls[1];
  expect(screenshot).toMatch(/^\/9j\//);
  expect(skeletonDom).toContain('Add to cart');
  expect(calls[1]).not.toHaveProperty('dom');
  expect(interactiveTree[0].box).toHaveLength(4);
});

test('[INT-109] with semantic capture off, the relay gets a skeleton', async () => {
  await lent.goto(`${shop.url}/products/dusk-table-lamp`);
  const { calls } = await run('Click "Add to cart"', { semantic: false });
  expect(calls[0]).toMatchObject({
    domMode: 'skeleton',
    skeletonDom: expect.stringContaining('Add to cart'),
  });
  expect(calls[0]).not.toHaveProperty('interactiveTree');
});

test('[INT-172] [INT-173] pusher-js in a worker without eval receives messages of the session', async () => {
  const { relay, server } = await startPairedRelay();
  const decider = createInteractDecider({ ...server, clock: systemClock });
  const page = {
    ...{ url: 'https://www.google.com/search', query: 'Click the "Search" button' },
    ...{ domMode: 'semantic' as const, interactiveTree: [{ i: '42', r: 'btn', n: 'Search' }] },
  };
  const { sessionId = '' } = await decider.interact(page, new AbortController().signal, 'first');
  const worker = await openWorker();
  await worker.begin({ url: server.url, token: server.token, sessionId });
  const message = { messageId: 'pushed', content: 'Hello', timestamp: '2026-01-30T10:00:01.000Z' };
  const said = { type: 'new_message', sessionId, message: { ...message, sequenceNumber: 99 } };
  // Repeats until received: events before the subscription are lost.
  await expect
    .poll(async () => {
      relay.pusher.trigger(sessionId, 'new_message', said);
      return (await worker.shown()).map(({ messageId }) => messageId);
    })
    .toContain('pushed');
  expect((await worker.shown()).at(-1)).toMatchObject({ messageId: 'pushed', role: 'assistant' });
});

const here = (file: string): string => JSON.stringify(join(import.meta.dirname, file));

/** A worker that forwards session events to its page. */
const WORKER = `
import { createSessionPush } from ${here('session-push.ts')};
import { watchSession } from ${here('session-watch.ts')};
import { createSessions } from ${here('sessions.ts')};
addEventListener('message', ({ data: { sessionId, ...at } }) => {
  const server = { ...at, fetch: (...asked) => fetch(...asked) };
  const ports = { sessions: createSessions(server), push: createSessionPush({ server }) };
  watchSession(ports, sessionId, (view) => postMessage(view));
});
`;

interface Shown {
  readonly messageId: string;
}

/** The module in a worker without a DOM, under an extension's policy. */
async function openWorker() {
  const outDir = await mkdtemp(join(tmpdir(), 'push-worker-'));
  onTestFinished(() => rm(outDir, { recursive: true, force: true }));
  const entry = join(outDir, 'entry.ts');
  await writeFile(entry, WORKER);
  await build({
    ...{ root: import.meta.dirname, configFile: false, logLevel: 'error' },
    build: {
      ...{ outDir, emptyOutDir: false, minify: false, reportCompressedSize: false },
      lib: { entry, formats: ['es'], fileName: () => 'worker.js' },
    },
  });
  const code = await readFile(join(outDir, 'worker.js'), 'utf8');
  const http = createServer(({ url }, response) => {
    response.setHeader('content-security-policy', "script-src 'self'; object-src 'self'");
    response.setHeader('content-type', url === '/worker.js' ? 'text/javascript' : 'text/html');
    response.end(url === '/worker.js' ? code : '<title>A page</title>');
  });
  const port = await listenOnLoopback(http);
  onTestFinished(() => void http.close());
  const { page, close } = await openPage();
  onTestFinished(close);
  await page.goto(`http://127.0.0.1:${port}/`);
  return {
    begin: (at: object) =>
      page.evaluate((delivered) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => Reflect.set(globalThis, 'view', data);
        worker.postMessage(delivered);
      }, at),
    shown: (): Promise<readonly Shown[]> =>
      page.evaluate(() => Reflect.get(globalThis, 'view')?.messages ?? []),
  };
}
