import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ExtensionHarness,
  type Page,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '../../test/extension-harness.ts';

let shop: Shop;
let paired: PairedRelay;
let harness: ExtensionHarness;
let page: Page;

beforeAll(async () => {
  [shop, paired, harness] = await Promise.all([startShop(), startPairRelay(), startExtensionHarness()]);
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
  page = await harness.open(shop.url);
  await harness.press(page);
  await harness.until(({ tabs }) => tabs.length === 1);
}, 300_000);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await shop?.close();
});
beforeEach(async () => {
  await expect.poll(() => call('page.info').catch(() => undefined)).toBeDefined();
});

const call = (name: string, args: object = {}, timeout_ms = 30_000): Promise<unknown> =>
  paired.relay.bridge.call({ name, arguments: { ...args }, timeout_ms }).output;
const ids = () =>
  paired.relay.bridge.runtimes().map(({ runtime_id, ready }) => [runtime_id, ready.runtime_key]);

/** Calls without an answer in the worker's storage. */
const owed = () =>
  harness.inExtension(async () => {
    const all = await chrome.storage.session.get();
    return Object.entries(all)
      .filter(([key]) => key.startsWith('line:'))
      .flatMap(([, line]) => Object.values((line as { calls: Record<string, string> }).calls));
  }, 0);

test('a restarted worker serves its tab under the same ids', async () => {
  const before = ids();
  await harness.killWorker();
  expect(await call('page.info')).toMatchObject({ url: `${shop.url}/` });
  expect(ids()).toEqual(before);
  expect((await harness.state()).tabs).toHaveLength(1);
});

test('[BRG-36] a call that ran when the worker was stopped is answered once, with a code', async () => {
  const waiting = { locator: { selector: '#never' }, timeout_ms: 25_000 };
  const asked = call('locator.wait_for', waiting);
  const answers: unknown[] = [];
  asked.then(
    (answer) => answers.push(answer),
    (error: unknown) => answers.push(error),
  );
  await expect.poll(owed).toEqual(['locator.wait_for']);
  await harness.killWorker();
  await expect(asked).rejects.toMatchObject({
    code: 'transport_failed',
    evidence: { reason: 'worker_stopped', sent: true },
  });
  await expect.poll(owed).toEqual([]);
  await call('page.info');
  expect(answers).toHaveLength(1);
});

test('runs a call once that arrived while the worker was stopped', async () => {
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'afterbegin',
      '<button id="count" onclick="this.textContent = Number(this.textContent) + 1">0</button>',
    );
  });
  const { id } = (await call('locator.element_info', { locator: { selector: '#count' } })) as { id: string };
  await harness.killWorker();
  const pressed = call('element.click', { id });
  expect(await pressed).toMatchObject({ action: 'click', fidelity: 'synthetic' });
  expect(await page.locator('#count').textContent()).toBe('1');
});

test('element ids stay valid after a worker restart', async () => {
  const idOf = async () =>
    ((await call('locator.element_info', { locator: { selector: 'h1' } })) as { id: string }).id;
  const before = await idOf();
  await harness.killWorker();
  expect(await idOf()).toBe(before);
});

test('finds a page that navigated while the worker was stopped', async () => {
  await harness.killWorker();
  await page.goto(`${shop.url}/cart`);
  await expect.poll(() => call('page.info')).toMatchObject({ url: `${shop.url}/cart` });
  await page.goto(shop.url);
});

test('a tab that was closed while the worker was stopped is no longer lent', async () => {
  const other = await harness.open(`${shop.url}/login`);
  await harness.press(other);
  await expect.poll(() => ids().length).toBe(2);
  await harness.killWorker();
  await other.close();
  await harness.until(({ tabs }) => tabs.length === 1);
  await expect.poll(() => call('page.info')).toMatchObject({ url: expect.stringContaining(shop.url) });
});

test('permanent grants, settings and the pairing survive a worker restart', async () => {
  const { settings } = await harness.state();
  const sites = [{ origin: 'https://never.example', rule: 'never' as const }];
  await harness.ask({ do: 'set', settings: { ...settings, sites } });
  await harness.killWorker();
  const state = await harness.until(({ relay }) => relay.kind === 'online');
  expect(state.settings.sites).toEqual(sites);
  expect(state.grants).toMatchObject([{ covers: { effect: 'read' } }, { covers: { effect: 'act' } }]);
});

test('a paired tab comes back by itself when the relay is opened to the network', async () => {
  const before = ids();
  await paired.restart({ host: '0.0.0.0', tls: 'self-signed' });
  await expect.poll(ids, { timeout: 30_000 }).toEqual(before);
  expect(await call('page.info')).toMatchObject({ url: `${shop.url}/` });
  await harness.until(({ relay }) => relay.kind === 'online');
});
