import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type ExtensionHarness,
  type Page,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '../../test/extension-harness.ts';

/** Button, menu and docked panel of the extension. */
let shop: Shop;
let paired: PairedRelay;
let harness: ExtensionHarness;

beforeAll(async () => {
  [shop, paired, harness] = await Promise.all([startShop(), startPairRelay(), startExtensionHarness()]);
  await harness.ask({ do: 'pair', link: await paired.pairLink() });
}, 300_000);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await shop?.close();
});
afterEach(async () => {
  for (const { tabId } of (await harness.state()).tabs) await harness.ask({ do: 'release', tabId });
});

/** Simulates Chrome's menu event, as headless Chromium shows no menu. */
const clickMenu = (page: Page) =>
  harness.tabIdOf(page).then((tabId) =>
    harness.inWorker(async (id) => {
      const tab = await chrome.tabs.get(id);
      const info = { menuItemId: 'lend', pageUrl: tab.url, editable: false };
      Reflect.get(chrome.contextMenus.onClicked, 'dispatch').call(chrome.contextMenus.onClicked, info, tab);
    }, tabId),
  );

test('the context menu lends the tab, and takes it back', async () => {
  const page = await harness.open(shop.url);
  const tabId = await harness.tabIdOf(page);
  await clickMenu(page);
  await harness.until(({ tabs }) => tabs.some((tab) => tab.tabId === tabId));
  await page.locator('[data-drawbridge=lent]').waitFor({ state: 'attached' });
  await clickMenu(page);
  await harness.until(({ tabs }) => tabs.length === 0);
  await page.locator('[data-drawbridge=lent]').waitFor({ state: 'detached' });
});

test('the button opens the panel, which shows the tab as lent and takes it back', async () => {
  const page = await harness.open(shop.url);
  await harness.press(page);
  await harness.until(({ tabs }) => tabs.length === 1);
  const docked = () =>
    harness.inExtension(async () => {
      const [context] = await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] });
      const view = chrome.extension.getViews().find(({ location }) => location.href === context?.documentUrl);
      return view?.document.body.textContent ?? '';
    }, 0);
  await expect.poll(docked, { timeout: 30_000 }).toMatch(/Lantern & Oak.*Lent127\.0\.0\.1:\d+Release/);
  await harness.inExtension(async () => {
    const view = chrome.extension.getViews().find(({ location }) => location.pathname === '/sidepanel.html');
    const buttons = [...(view?.document.querySelectorAll('button') ?? [])];
    buttons.find(({ textContent }) => textContent === 'Release')?.click();
  }, 0);
  await harness.until(({ tabs }) => tabs.length === 0);
  await expect.poll(docked).toContain('Not lent');
});

test('a language change applies at once to button, menu and errors', async () => {
  const page = await harness.open(shop.url);
  const tabId = await harness.tabIdOf(page);
  await harness.ask({ do: 'lend', tabId });
  const { settings } = await harness.state();
  const inChrome = () =>
    harness.inWorker(
      async (id) => ({
        lend: await chrome.action.getTitle({}),
        takeBack: await chrome.action.getTitle({ tabId: id }),
      }),
      tabId,
    );
  expect(await inChrome()).toEqual({
    lend: 'Lend this tab to Drawbridge',
    takeBack: 'Take this tab back from Drawbridge',
  });
  await harness.inWorker(async () => {
    const update = chrome.contextMenus.update;
    Reflect.set(chrome.contextMenus, 'update', (id: string, change: { title: string }) => {
      Reflect.set(globalThis, 'menu', { id, ...change });
      return update(id, change);
    });
  }, 0);
  try {
    await harness.ask({ do: 'set', settings: { ...settings, language: 'de' } });
    await expect.poll(inChrome).toEqual({
      lend: 'Diesen Tab an Drawbridge verleihen',
      takeBack: 'Diesen Tab von Drawbridge zurücknehmen',
    });
    expect(await harness.inWorker(async () => Reflect.get(globalThis, 'menu'), 0)).toEqual({
      id: 'lend',
      title: 'Diesen Tab an Drawbridge verleihen oder zurücknehmen',
    });
    const own = await harness.inExtension(async () => (await chrome.tabs.getCurrent())?.id ?? 0, 0);
    await expect(harness.ask({ do: 'lend', tabId: own })).rejects.toThrow('nicht die des Browsers selbst');
    await expect(harness.ask({ do: 'pair', link: 'hello' })).rejects.toThrow('Das ist kein Kopplungslink.');
    const welcome = await harness.open(`chrome-extension://${harness.id}/welcome.html`);
    const { front } = await harness.until((state) =>
      Object.values(state.front).some(({ url }) => url.endsWith('/welcome.html')),
    );
    expect(Object.values(front)).toContainEqual(
      expect.objectContaining({ cannotLend: expect.stringContaining('Nur Seiten des Webs') }),
    );
    await welcome.close();
  } finally {
    await harness.ask({ do: 'set', settings });
  }
  expect(await inChrome()).toMatchObject({ takeBack: 'Take this tab back from Drawbridge' });
});
