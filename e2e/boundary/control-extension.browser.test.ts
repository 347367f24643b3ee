import type { ExtensionHarness, Page, PairedRelay } from '@drawbridge/extension/test/extension-harness';
import { decodePng } from '@drawbridge/runtime/test/hosts/cdp/decode-png';
import { sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Agent,
  FETCH_FAILED,
  FETCH_REFUSED,
  known,
  RELAY_TEXT,
  startLeadingSite,
} from './control-harness.ts';
import { type AttackedExtension, startAttackedExtension } from './extension-harness.ts';

let extension: AttackedExtension;
let harness: ExtensionHarness;
let paired: PairedRelay;
let agent: Agent;
let site: Awaited<ReturnType<typeof startLeadingSite>>;
const closing = new AsyncDisposableStack();

beforeAll(async () => {
  extension = closing.use(await startAttackedExtension());
  ({ paired, harness, agent } = extension);
  site = await startLeadingSite(() => paired.relay.port);
  closing.defer(site.close);
  await harness.openAddresses(site.url, `http://localhost:${site.port}`);
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
  trusted = false,
): Promise<{ readonly page: Page; readonly tabId: number; readonly runtime_id: string }> {
  const page = await harness.open(`${site.url}${path}`);
  const tabId = await harness.tabIdOf(page);
  await harness.ask({ do: 'lend', tabId, ...(trusted && { trusted }) });
  const { runtime_id } = await known(
    agent.bridge,
    ({ runtime_key }) => runtime_key === `chrome-tab:${tabId}`,
  );
  return { page, tabId, runtime_id };
}

/** Presses the control with this name. */
async function press(name: string, runtime_id: string): Promise<unknown> {
  const snapshot = JSON.stringify(await agent.call('page.snapshot', {}, { runtime_id }));
  const id = new RegExp(`"i":"?([\\w-]+)"?[^{}]*"n":"${name}"`).exec(snapshot)?.[1];
  if (id === undefined) throw new Error(`Nothing is called ${name}: ${snapshot.slice(0, 500)}`);
  return agent.call('element.click', { id }, { runtime_id });
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

  test.each([
    ['link', 'without the debugger', false],
    ['form', 'without the debugger', false],
    ['script', 'with the debugger', true],
  ] as const)('a press on a %s that leads to the relay gives the tab back, %s', async (kind, _, trusted) => {
    const { runtime_id, tabId, page } = await lend(`/${kind}`, trusted);
    const pressed = await press('Next page', runtime_id).catch((error: unknown) => error);
    const told = JSON.stringify(pressed);
    expect(told).not.toContain('Drawbridge');
    expect(told).not.toContain(`:${paired.relay.port}`);
    await expect.poll(() => isLent(tabId)).toBe(false);
    await page.close();
  });

  test('page.fetch of the relay is refused, directly and after a redirect', async () => {
    const { runtime_id, page } = await lend('/');
    for (const to of addresses()) {
      const me = `${to}api/me`;
      const fetched = (url: string) => agent.call('page.fetch', { url }, { runtime_id });
      await expect(fetched(me), me).rejects.toMatchObject(FETCH_REFUSED);
      const redirected = `${site.url}/redirect?to=${encodeURIComponent(me)}`;
      await expect(fetched(redirected), me).rejects.toMatchObject(FETCH_FAILED);
    }
    await page.close();
  });

  /** The relay forbids framing; another server under its name, or with its declaration, does not. */
  const framed = () => [
    ...addresses(),
    `http://drawbridge.localhost:${site.port}/`,
    `http://localhost:${site.port}/declared`,
  ];

  test.each([
    ['without the debugger', false],
    ['with the debugger', true],
  ] as const)('a frame of the relay is not read, %s', async (_, trusted) => {
    for (const to of framed()) {
      const { runtime_id, page } = await lend(`/frame?to=${encodeURIComponent(to)}`, trusted);
      const text = JSON.stringify([
        await agent.call('page.snapshot', { scope: 'page' }, { runtime_id }),
        await agent.call('page.read', {}, { runtime_id }),
      ]);
      expect(text, to).toContain('Frame');
      expect(text, to).not.toMatch(RELAY_TEXT);
      await page.close();
    }
  });

  test.each([
    ['without the debugger', false],
    ['with the debugger', true],
  ] as const)(
    'a frame under the relay’s name gets no press or key, even with a yes, %s',
    async (_, trusted) => {
      extension.decide('once');
      const to = `http://drawbridge.localhost:${site.port}/`;
      const { runtime_id, page } = await lend(`/frame?to=${encodeURIComponent(to)}`, trusted);
      await expect.poll(() => page.frames()[1]?.url()).toBe(to);
      const [, frame] = page.frames();
      await frame?.evaluate(() => {
        document.body.tabIndex = 0;
        document.body.focus();
        for (const type of ['pointerdown', 'mousedown', 'click', 'keydown', 'beforeinput', 'input'])
          addEventListener(type, () => document.body.append(`got ${type}`));
      });
      await page.bringToFront();
      for (const [name, args] of [
        ['pointer.click', { x: 100, y: 150 }],
        ['pointer.double_click', { x: 100, y: 150 }],
        ['keyboard.press', { key: 'Enter' }],
        ['text.type', { text: 'x' }],
      ] as const)
        await agent.call(name, args, { runtime_id }).catch(() => undefined);
      expect(await frame?.textContent('body')).toBe('Shop');
      await page.keyboard.press('x');
      await expect.poll(() => frame?.textContent('body')).toContain('got keydown');
      await page.close();
    },
  );

  test('a frame of the relay is not pictured', async () => {
    for (const to of sampled(framed(), 3)) {
      const page = await harness.open(`${site.url}/frame?to=${encodeURIComponent(to)}`);
      const tabId = await harness.tabIdOf(page);
      // Only the toolbar's button permits pictures.
      await harness.press(page);
      const { runtime_id } = await known(
        agent.bridge,
        ({ runtime_key }) => runtime_key === `chrome-tab:${tabId}`,
      );
      const picture = agent.call('browser.screenshot', {}, { runtime_id });
      if (to.endsWith('/declared')) await expect(picture, to).rejects.toMatchObject(REFUSED);
      else {
        const { image } = (await picture) as { readonly image: string };
        const seen = decodePng(Buffer.from(image, 'base64'));
        const { x, y } = (await page.locator('iframe').boundingBox()) ?? { x: 0, y: 0 };
        expect(seen.coloursIn({ left: x + 10, top: y + 10, width: 200, height: 200 }), to).toEqual(['0,0,0']);
      }
      await page.close();
    }
  });

  test('page code answers nothing once the page declares itself', async () => {
    const { runtime_id, page } = await lend('/late');
    await press('More', runtime_id).catch(() => undefined);
    for (const name of ['page.snapshot', 'page.read', 'page.info', 'browser.screenshot'])
      await expect(agent.call(name, {}, { runtime_id }), name).rejects.toMatchObject(REFUSED);
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
