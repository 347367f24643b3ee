import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type ExtensionHarness,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '../../test/extension-harness.ts';

let shop: Shop;
let paired: PairedRelay;
let harness: ExtensionHarness;

beforeAll(async () => {
  [shop, paired, harness] = await Promise.all([startShop(), startPairRelay(), startExtensionHarness()]);
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
}, 300_000);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await shop?.close();
});
afterEach(async () => {
  for (const { tabId } of (await harness.state()).tabs) await harness.ask({ do: 'release', tabId });
  for (const page of harness.context.pages()) if (page.url().startsWith('http')) await page.close();
});

const runtimes = () => paired.relay.bridge.runtimes();
const call = (name: string, args: object = {}, runtime_id?: string): Promise<unknown> =>
  paired.relay.bridge.call({ name, arguments: { ...args }, ...(runtime_id !== undefined && { runtime_id }) })
    .output;

/** Lends a new tab by the toolbar button, and waits until the relay has it. */
async function lend(path = '/') {
  const page = await harness.open(`${shop.url}${path}`);
  await harness.press(page);
  const tabId = await harness.tabIdOf(page);
  await harness.until(({ tabs }) => tabs.some((tab) => tab.tabId === tabId));
  const key = `chrome-tab:${tabId}`;
  const found = () => runtimes().find(({ ready }) => ready.runtime_key === key);
  await expect.poll(found).toBeDefined();
  return { page, tabId, key, runtime: () => found()?.runtime_id ?? '' };
}

/** Chrome's own signs of a tab. */
const signs = (tabId: number) =>
  harness.inExtension(async (id) => {
    const { groupId } = await chrome.tabs.get(id);
    const group = groupId === -1 ? undefined : await chrome.tabGroups.get(groupId);
    return { group: group?.title, badge: await chrome.action.getBadgeText({ tabId: id }) };
  }, tabId);

test('[BRG-12] the toolbar button lends the tab, shows it as lent, and releases it', async () => {
  const { page, tabId, key, runtime } = await lend();
  expect(runtimes()).toMatchObject([
    { ready: { runtime_key: key, url: `${shop.url}/`, authorization_id: expect.any(String) } },
  ]);
  expect(await call('page.info')).toMatchObject({ url: `${shop.url}/` });
  expect(await signs(tabId)).toEqual({ group: 'Drawbridge', badge: '●' });
  expect(await page.locator('[data-drawbridge=lent]').count()).toBe(1);
  const id = runtime();
  await harness.press(page);
  await harness.until(({ tabs }) => tabs.length === 0);
  await expect.poll(() => runtimes().length).toBe(0);
  await expect(call('page.info', {}, id)).rejects.toMatchObject({ code: 'runtime_not_ready' });
  expect(await signs(tabId)).toEqual({ group: undefined, badge: '' });
  await expect.poll(() => page.locator('[data-drawbridge]').count()).toBe(0);
  await expect.poll(() => page.locator('[data-llm-id]').count()).toBe(0);
});

test('the panel lends and takes back; a browser page is refused with a reason', async () => {
  const page = await harness.open(shop.url);
  const tabId = await harness.tabIdOf(page);
  await harness.ask({ do: 'lend', tabId });
  expect((await harness.state()).tabs).toMatchObject([{ tabId, trusted: false }]);
  await harness.ask({ do: 'release', tabId });
  expect((await harness.state()).tabs).toEqual([]);
  const own = await harness.inExtension(async () => (await chrome.tabs.getCurrent())?.id ?? 0, 0);
  await expect(harness.ask({ do: 'lend', tabId: own })).rejects.toThrow('not the browser’s own pages');
});

test('[BRG-66] [BRG-67] [BRG-68] lent tabs see each other, and no others', async () => {
  const one = await lend();
  const two = await lend('/cart');
  const hidden = await harness.open(`${shop.url}/login`);
  const list = async () => {
    const { tabs } = (await call('browser.claimed_tabs.list', {}, one.runtime())) as {
      tabs: { tab_id: string; active: boolean }[];
    };
    return tabs.map(({ tab_id, active }) => [tab_id, active]);
  };
  expect(await list()).toEqual([
    [String(one.tabId), false],
    [String(two.tabId), false],
  ]);
  await call('browser.claimed_tabs.activate', { tab_id: String(one.tabId) }, two.runtime());
  await expect.poll(list).toContainEqual([String(one.tabId), true]);
  expect(await call('page.info', {}, two.runtime())).toMatchObject({ url: `${shop.url}/cart` });
  const other = await harness.tabIdOf(hidden);
  await expect(
    call('browser.claimed_tabs.activate', { tab_id: String(other) }, one.runtime()),
  ).rejects.toMatchObject({ code: 'target_not_found' });
});

test('a call opens a background tab, works in it, and closes it', async () => {
  const { page, runtime } = await lend();
  await page.bringToFront();
  const { tab } = (await call('browser.open_tab', { url: `${shop.url}/cart`, active: false }, runtime())) as {
    tab: { tab_id: string; runtime_key: string; active: boolean };
  };
  expect(tab.active).toBe(false);
  const opened = () => runtimes().find(({ ready }) => ready.runtime_key === tab.runtime_key)?.runtime_id;
  await expect.poll(opened).toBeDefined();
  expect(await call('page.info', {}, opened())).toMatchObject({ url: `${shop.url}/cart` });
  expect(await page.evaluate(() => document.visibilityState)).toBe('visible');
  await call('browser.close_tab', { tab_id: tab.tab_id }, runtime());
  await expect.poll(() => runtimes().length).toBe(1);
  await expect(call('browser.close_tab', {}, runtime())).rejects.toMatchObject({
    evidence: { reason: 'last_claimed_tab' },
  });
});

test.each([true, false])(
  '[BRG-204] [BRG-207] a press reports the tab that it opened, which is not lent (trusted: %s)',
  async (trusted) => {
    const { page, tabId, runtime } = await lend();
    await harness.ask({ do: 'lend', tabId, trusted });
    await page.evaluate(() => {
      document.body.innerHTML = '<button onclick="window.open(\'/cart\')">Other tab</button>';
    });
    // Without the debugger, Chrome reports a tab soon after the press, and maybe after its answer.
    const press = async () => {
      const locator = { role: 'button', name: 'Other tab' };
      const { id } = Object(await call('locator.element_info', { locator }, runtime()));
      const { effect } = Object(await call('element.click', { id }, runtime()));
      return effect;
    };
    await expect.poll(press).toMatchObject({ opens_tab: true, happened: true });
    expect(runtimes()).toHaveLength(1);
    const opened = () => harness.context.pages().map((each) => each.url());
    await expect.poll(opened).toContain(`${shop.url}/cart`);
  },
);

test('a tab navigates, and reports the result', async () => {
  await harness.openAddresses('http://127.0.0.1:1');
  const { page, runtime } = await lend();
  const go = (args: object) => call('browser.navigate', args, runtime());
  expect(await go({ url: `${shop.url}/cart` })).toMatchObject({ url: `${shop.url}/cart` });
  expect(await go({ back: true })).toMatchObject({ url: `${shop.url}/` });
  expect(await go({ reload: true })).toMatchObject({ url: `${shop.url}/` });
  await page.evaluate(() => history.pushState({}, '', '/somewhere'));
  expect(await call('page.info', {}, runtime())).toMatchObject({ url: `${shop.url}/somewhere` });
  await expect(go({ url: 'https://elsewhere.example/' })).rejects.toMatchObject({
    code: 'permission_denied',
    evidence: { reason: 'site_not_allowed' },
  });
  await expect(go({ url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({ code: 'handler_failed' });
  expect(await go({ url: `${shop.url}/cart` })).toMatchObject({ url: `${shop.url}/cart` });
  await page.goto(`${shop.url}/login`);
  await expect.poll(() => call('page.info', {}, runtime())).toMatchObject({ url: `${shop.url}/login` });
});

test('a page that the person opens paints before our code is injected', async () => {
  const { page } = await lend();
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('[data-drawbridge]') === null) return;
      Reflect.set(window, 'entered', performance.now());
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${shop.url}/cart`);
  await page.locator('[data-drawbridge=lent]').waitFor({ state: 'attached' });
  const [drawn, entered] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    Number(Reflect.get(window, 'entered')),
  ]);
  expect(drawn).toBeLessThan(entered);
});

test('site rules apply: never forbids, and ask asks before each act', async () => {
  const { runtime } = await lend();
  const { settings } = await harness.state();
  const rule = (which: 'never' | 'ask') =>
    harness.ask({ do: 'set', settings: { ...settings, sites: [{ origin: shop.url, rule: which }] } });
  try {
    await rule('never');
    await expect(call('page.info', {}, runtime())).rejects.toMatchObject({
      code: 'permission_denied',
      evidence: { reason: 'site_rule' },
    });
    await rule('ask');
    expect(await call('page.info', {}, runtime())).toMatchObject({ url: `${shop.url}/` });
    const asked = paired.relay.bridge.call({
      name: 'text.insert',
      arguments: { text: 'lamp', target: { selector: 'input[type=search], input' } },
      timeout_ms: 1_500,
    });
    await expect(asked.output).rejects.toMatchObject({ evidence: { step: 'waiting for permission' } });
  } finally {
    await harness.ask({ do: 'set', settings: { ...settings, sites: [] } });
  }
});

test('reports refused when the relay has forgotten the device', async () => {
  await lend();
  const devices = await paired.relay.devices.list();
  const own = devices.find(({ label, revoked_at }) => label === 'Test Chrome' && revoked_at === null);
  await paired.relay.devices.revoke(own?.device_id ?? '', 'machine');
  const { relay } = await harness.until((state) => state.relay.kind === 'refused');
  expect(relay).toMatchObject({ why: expect.stringContaining('Pair it again') });
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
  await harness.until((state) => state.relay.kind === 'online');
  await expect.poll(() => runtimes().length).toBe(1);
});
