import { createServer } from 'node:http';
import {
  type ExtensionHarness,
  type Page,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '@drawbridge/extension/test/extension-harness';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';

const CANARY = 'Balance 4711';
const PAGES: Readonly<Record<string, string>> = {
  '/page': `<h1>Holder</h1>
    <iframe id="far" style="position:fixed;left:0;top:100px;width:300px;height:200px;border:0"></iframe>
    <embed id="plug" style="position:fixed;left:400px;top:100px;width:100px;height:100px">
    <script>far.src = plug.src = location.origin.replace('127.0.0.1', 'localhost') + '/bank'</script>`,
  '/bank': `<body style="background:red;margin:0"><button style="width:300px;height:100px"
      onclick="this.textContent = 'Sent'">${CANARY}</button><input aria-label="${CANARY} payee" autofocus>
    <iframe srcdoc="<button>${CANARY} nested</button>"></iframe>
    <iframe sandbox srcdoc="<button>${CANARY} boxed</button>"></iframe></body>`,
};

let paired: PairedRelay;
let harness: ExtensionHarness;
let page: Page;
let tabId: number;
let site: string;

beforeAll(async () => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>${pathname}</title>${PAGES[pathname] ?? ''}`);
  });
  site = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  [paired, harness] = await Promise.all([startPairRelay(), startExtensionHarness()]);
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
  await harness.openAddresses(site, site.replace('127.0.0.1', 'localhost'));
  page = await harness.open(`${site}/page`);
  tabId = await harness.tabIdOf(page);
}, 300_000);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
});

const call = (name: string, args: object = {}): Promise<unknown> =>
  paired.relay.bridge.call({ name, arguments: { ...args } }).output;

/** Uses the toolbar button unless `trusted`: only then may Chrome take pictures. */
async function lend(trusted: boolean): Promise<void> {
  await harness.ask({ do: 'release', tabId });
  await expect.poll(() => paired.relay.bridge.runtimes().length).toBe(0);
  if (trusted) await harness.ask({ do: 'lend', tabId, trusted });
  else await harness.press(page);
  await expect.poll(() => call('page.info').catch(() => undefined)).toMatchObject({ url: `${site}/page` });
}

async function rule(origins: readonly string[]): Promise<void> {
  const { settings } = await harness.state();
  const sites = origins.map((origin) => ({ origin, rule: 'never' as const }));
  await harness.ask({ do: 'set', settings: { ...settings, sites } });
}

const never = () => rule([site.replace('127.0.0.1', 'localhost')]);
const snapshot = async () => JSON.stringify(await call('page.snapshot', { scope: 'page' }));

/** Number of the tab's documents with page code. */
const entered = (): Promise<number> =>
  harness.inExtension(async (id) => {
    const found = await chrome.scripting.executeScript({
      target: { tabId: id, allFrames: true },
      func: () => Reflect.get(globalThis, Symbol.for('drawbridge.frame')) !== undefined,
    });
    return found.filter(({ result }) => result).length;
  }, tabId);

test('finding 10: a content script of a lent tab cannot read the token of the relay', async () => {
  await rule([]);
  await lend(false);
  const seen = await harness.inExtension(async (id) => {
    const [found] = await chrome.scripting.executeScript({
      target: { tabId: id },
      func: async () => {
        const areas = [chrome.storage.local, chrome.storage.session, chrome.storage.sync];
        const read = await Promise.allSettled(areas.map((area) => area.get(null)));
        return read.map((each) => (each.status === 'fulfilled' ? JSON.stringify(each.value) : 'refused'));
      },
    });
    return found?.result;
  }, tabId);
  const stored = await harness.inWorker(async () => JSON.stringify(await chrome.storage.local.get(null)), 0);
  expect(stored).toContain('"token"');
  expect(seen).toEqual(['refused', 'refused', 'refused']);
});

test('finding 10: a frame of a site with the rule never is not entered, read or pictured', async () => {
  await rule([]);
  await lend(false);
  await expect.poll(snapshot).toContain(CANARY);
  await never();
  expect(await snapshot()).not.toContain(CANARY);
  await expect.poll(entered).toBe(1);
  expect(JSON.stringify(await call('page.read'))).not.toContain(CANARY);
  await lend(false);
  expect(await snapshot()).not.toContain(CANARY);
  expect(await entered()).toBe(1);
  await page.bringToFront();
  const { image } = (await call('browser.screenshot')) as { readonly image: string };
  const colours = await harness.inExtension(async (text) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    canvas?.drawImage(bitmap, 0, 0);
    const at = (x: number, y: number) => [...(canvas?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3);
    return [at(150, 280), at(450, 150)];
  }, image);
  expect(colours).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
});

test('finding 10: nothing is pressed or typed in a frame of a site with the rule never', async () => {
  await never();
  for (const trusted of [false, true]) {
    await lend(trusted);
    const refused = { code: 'permission_denied', evidence: { reason: 'site_rule' } };
    const inFrame = { x: 150, y: 150 };
    await expect(call('pointer.click', inFrame)).rejects.toMatchObject(refused);
    await expect(call('pointer.double_click', inFrame)).rejects.toMatchObject(refused);
    const frame = page.frames().find((each) => each.url().endsWith('/bank'));
    await frame?.locator('input').focus();
    await expect(call('keyboard.press', { key: 'x' })).rejects.toMatchObject(refused);
    await expect(call('text.type', { text: 'x' })).rejects.toMatchObject(refused);
    expect(await frame?.locator('button').textContent()).toBe(CANARY);
    expect(await frame?.locator('input').inputValue()).toBe('');
  }
});

test('back does not navigate to a site with the rule never', async () => {
  const bank = `${site.replace('127.0.0.1', 'localhost')}/bank`;
  await rule([]);
  await page.goto(bank);
  await page.goto(`${site}/page`);
  await never();
  await lend(false);
  const told = call('browser.navigate', { back: true });
  await expect(told).rejects.toMatchObject({ code: 'permission_denied', evidence: { reason: 'site_rule' } });
  await expect.poll(() => page.url()).toBe(`${site}/page`);
  expect(await call('page.info')).toMatchObject({ url: `${site}/page` });
});
