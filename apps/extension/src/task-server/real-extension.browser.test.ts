import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type ExtensionHarness,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '../../test/extension-harness.ts';
import { startTaskHost } from '../../test/task-server/task-host.ts';

let shop: Shop;
let paired: PairedRelay;
let harness: ExtensionHarness;

beforeAll(async () => {
  [shop, paired, harness] = await Promise.all([
    startShop(),
    startPairRelay({ env: {} }),
    startExtensionHarness(),
  ]);
  // Simulates "always" for the first form of a site (BRG-128).
  const forms = { covers: { name: 'form.submit', effect: 'act' }, origin: shop.url, by: 'the test' };
  await harness.inWorker((grants) => chrome.storage.local.set({ grants }), [{ grant_id: 'forms', ...forms }]);
  await harness.killWorker();
  const link = await paired.pairLink();
  await vi.waitFor(() => harness.ask({ do: 'pair', link, name: 'Test Chrome' }), { timeout: 20_000 });
}, 300_000);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await shop?.close();
});

const ORDER = { type: 'execute_task', taskId: 'task-12345', prompt: 'add two lamps to the cart' };

test("[TSK-22] [TSK-32] [TSK-37] [INT-151] the real extension runs a host's task to its end across a worker restart", async () => {
  const host = await startTaskHost();
  const { settings } = await harness.state();
  const taskServer = { on: true, url: host.url, connectSeconds: 10 };
  await harness.ask({ do: 'set', settings: { ...settings, taskServer } });
  const first = await host.connection();
  first.send(ORDER);
  expect(await first.next()).toMatchObject({ type: 'task_rejected', reason: 'No active tab found' });

  const page = await harness.open(`${shop.url}/products/dusk-table-lamp`);
  await harness.press(page);
  await harness.until(({ tabs }) => tabs.length === 1);
  first.send(ORDER);
  expect(await first.next()).toMatchObject({ type: 'task_accepted', taskId: 'task-12345' });
  const states: string[] = [];
  while (states.at(-1) !== 'act.ok') states.push((await first.next()).event.state);
  await harness.killWorker();
  const second = await host.connection();
  while (!/^task\.(ok|fail|cancel)$/.test(states.at(-1) ?? ''))
    states.push((await second.next()).event.state);
  expect(states.slice(0, 4)).toEqual(['task.start', 'step.start', 'act.start', 'act.ok']);
  expect(states).toContain('task.resume');
  expect(states.at(-1)).toBe('task.ok');
  await expect.poll(() => page.getByTestId('cart-count').first().textContent()).toBe('2');

  const tabId = await harness.tabIdOf(page);
  const { tasks, sessions } = await harness.state();
  expect(tasks[tabId]).toMatchObject({ from: 'server', state: 'completed', taskId: 'task-12345' });
  const sessionId = sessions[tabId];
  expect(sessionId).toBeTypeOf('string');
  // The person's next task in that tab uses the same session.
  await page.goto(`${shop.url}/`);
  await harness.ask({ do: 'start_task', tabId, query: 'search for lamp' });
  const after = await harness.until((state) => state.tasks[tabId]?.endedAt !== undefined);
  expect(after.tasks[tabId]).toMatchObject({ from: 'panel', state: 'completed' });
  expect(after.sessions[tabId]).toBe(sessionId);
  await harness.ask({ do: 'set', settings });
  await second.closed;
});
