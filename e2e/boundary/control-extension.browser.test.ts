import {
  type ExtensionHarness,
  type Page,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '@drawbridge/extension/test/extension-harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Agent, known, openAgent, startLeadingSite } from './control-harness.ts';

let harness: ExtensionHarness;
let paired: PairedRelay;
let agent: Agent;
let site: Awaited<ReturnType<typeof startLeadingSite>>;
const closing = new AsyncDisposableStack();

beforeAll(async () => {
  paired = closing.use(await startPairRelay());
  site = await startLeadingSite(() => paired.relay.port);
  closing.defer(site.close);
  harness = closing.use(await startExtensionHarness());
  await harness.ask({ do: 'pair', link: await paired.pairLink() });
  agent = await openAgent(paired.relay);
  closing.defer(agent.close);
}, 300_000);
afterAll(() => closing.disposeAsync());

const REFUSED = { code: 'permission_denied', evidence: { reason: 'control_plane' } };

/** Addresses of the relay to which a tab is redirected. */
const addresses = (): readonly string[] => [
  `http://127.0.0.1:${paired.relay.port}/`,
  `http://localhost:${paired.relay.port}/`,
];

async function lend(
  path: string,
): Promise<{ readonly page: Page; readonly tabId: number; readonly runtime_id: string }> {
  const page = await harness.open(`${site.url}${path}`);
  const tabId = await harness.tabIdOf(page);
  await harness.ask({ do: 'lend', tabId });
  const { runtime_id } = await known(
    agent.bridge,
    ({ runtime_key }) => runtime_key === `chrome-tab:${tabId}`,
  );
  return { page, tabId, runtime_id };
}

const isLent = async (tabId: number): Promise<boolean> =>
  (await harness.state()).tabs.some((tab) => tab.tabId === tabId);

describe("[BRG-173] with only an agent's token", () => {
  test('no tab is opened at or sent to the relay', async () => {
    const { runtime_id, page, tabId } = await lend('/');
    for (const url of [
      ...addresses(),
      `${paired.relay.url}/devices`,
      `http://drawbridge.localhost:${site.port}/`,
    ]) {
      await expect(agent.call('browser.open_tab', { url }, { runtime_id }), url).rejects.toMatchObject(
        REFUSED,
      );
      await expect(agent.call('browser.navigate', { url }, { runtime_id }), url).rejects.toMatchObject(
        REFUSED,
      );
    }
    expect(await agent.call('page.info', {}, { runtime_id })).toMatchObject({ url: `${site.url}/` });
    expect((await harness.state()).tabs.map((tab) => tab.tabId)).toEqual([tabId]);
    await page.close();
  });

  test('a tab that is redirected to the relay is given back before any answer', async () => {
    for (const to of addresses()) {
      const { runtime_id, tabId, page } = await lend('/');
      const url = `${site.url}/redirect?to=${encodeURIComponent(to)}`;
      await expect(agent.call('browser.navigate', { url }, { runtime_id }), to).rejects.toMatchObject(
        REFUSED,
      );
      await harness.until(({ tabs }) => !tabs.some((tab) => tab.tabId === tabId));
      await expect(agent.call('page.info', {}, { runtime_id }), to).rejects.toThrow();
      await page.close();
    }
  });

  test('a tab that a call opens and that ends at the relay is closed', async () => {
    const { runtime_id, page } = await lend('/');
    const url = `${site.url}/redirect`;
    await expect(agent.call('browser.open_tab', { url }, { runtime_id })).rejects.toMatchObject(REFUSED);
    const isRelay = (each: Page) => each.url().startsWith(paired.relay.url);
    await expect.poll(() => harness.context.pages().filter(isRelay)).toEqual([]);
    await page.close();
  });

  test('a press on a link to the relay gives the tab back', async () => {
    const { runtime_id, tabId, page } = await lend('/link');
    const snapshot = JSON.stringify(await agent.call('page.snapshot', {}, { runtime_id }));
    const id = /"i":"?([\w-]+)"?[^{}]*"n":"Next page"/.exec(snapshot)?.[1];
    const pressed = await agent
      .call('element.click', { id }, { runtime_id })
      .catch((error: unknown) => error);
    const told = JSON.stringify(pressed);
    expect(told).not.toContain('Drawbridge');
    expect(told).not.toContain(`:${paired.relay.port}`);
    await expect.poll(() => isLent(tabId)).toBe(false);
    await page.close();
  });

  test('a tab that the person takes to the relay is given back, and a window that its page opens is not lent', async () => {
    const { tabId, page, runtime_id } = await lend('/popup');
    const opened = harness.context.waitForEvent('page');
    await page.click('#go');
    const popup = await opened;
    await popup.waitForLoadState();
    expect(await isLent(await harness.tabIdOf(popup))).toBe(false);
    await page.goto(`${paired.relay.url}/`);
    await harness.until(({ tabs }) => !tabs.some((tab) => tab.tabId === tabId));
    await expect(agent.call('page.snapshot', {}, { runtime_id })).rejects.toThrow();
    await Promise.all([page.close(), popup.close()]);
  });
});

test('[BRG-173] the tab of the relay is not lent, and the person sees why', async () => {
  const page = await harness.open(`${paired.relay.url}/`);
  const tabId = await harness.tabIdOf(page);
  await page.bringToFront();
  await expect(harness.ask({ do: 'lend', tabId })).rejects.toThrow('This is your relay.');
  const { front } = await harness.until((state) =>
    Object.values(state.front).some((tab) => tab.tabId === tabId),
  );
  expect(Object.values(front).find((tab) => tab.tabId === tabId)?.cannotLend).toContain('This is your relay');
  expect(await isLent(tabId)).toBe(false);
  await page.close();
});

test('[BRG-174] a page that declares itself a relay’s is not lent, even at an unknown address', async () => {
  const page = await harness.open(`${site.url}/declared`);
  const tabId = await harness.tabIdOf(page);
  await expect(harness.ask({ do: 'lend', tabId })).rejects.toThrow('This is your relay.');
  await harness.until(({ tabs }) => !tabs.some((tab) => tab.tabId === tabId));
  await page.close();
});

test('[BRG-173] a restarted worker still knows the relay', async () => {
  const { tabId, page } = await lend('/');
  await harness.killWorker();
  await page.goto(`${paired.relay.url}/`);
  await harness.until(({ tabs }) => !tabs.some((tab) => tab.tabId === tabId));
  await page.close();
});
