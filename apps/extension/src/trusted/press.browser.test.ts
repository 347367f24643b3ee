import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ExtensionHarness, type Page, startExtensionHarness } from '../../test/extension-harness.ts';
import { type BridgeHarness, startBridgeHarness } from '../../test/tabs/bridge-harness.ts';

/** Attacks on trusted presses: issue findings 4, 5 and 9. */

const pages = new Map<string, string>();
const asked: unknown[] = [];
const person = {
  ask: async (question: { call_hash: string }) => {
    asked.push(question);
    return { decision, call_hash: question.call_hash, by: 'the test' };
  },
};
let decision: 'deny' | 'once' = 'deny';
let harness: ExtensionHarness;
let bridgeHarness: BridgeHarness;
let page: Page;
let port: number;
/** Another port, so an origin that nobody opened. */
const router = createServer((_, response) => {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      '<body style="background:red"><button onclick="this.textContent = `Done`">Admin 4711</button><input>',
    );
});

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>calm</title>${pages.get(pathname) ?? ''}`);
});

beforeAll(async () => {
  port = await listenOnLoopback(server);
  [harness, bridgeHarness] = await Promise.all([startExtensionHarness(), startBridgeHarness(person)]);
  await bridgeHarness.pair(harness);
  await harness.openAddresses(`http://localhost:${port}`);
  page = await harness.open(`http://127.0.0.1:${port}/`);
  await harness.ask({ do: 'lend', tabId: await harness.tabIdOf(page), trusted: true });
}, 300_000);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await bridgeHarness?.[Symbol.asyncDispose]();
  server.close();
  router.close();
});
beforeEach(() => {
  asked.length = 0;
  decision = 'deny';
});

const call = (name: string, args: object = {}): Promise<unknown> =>
  bridgeHarness.bridge.call({ name, arguments: { ...args } }).output;
const outcome = (name: string, args: object): Promise<unknown> =>
  call(name, args).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

let shown = 0;
async function show(body: string): Promise<void> {
  const path = `/${++shown}`;
  pages.set(path, body);
  await page.goto(`http://127.0.0.1:${port}${path}`);
  await expect.poll(() => call('page.info').catch(() => undefined)).toMatchObject({ url: page.url() });
}
const idBy = async (selector: string): Promise<string> =>
  ((await call('locator.element_info', { locator: { selector } })) as { id: string }).id;

const FULL = 'style="position:absolute;inset:0;width:100%;height:100%"';

test('asks before a press that lands inside a container', async () => {
  await show(`<section id=box aria-label="Details" style="position:relative;width:300px;height:120px">
    <button ${FULL} onclick="document.title = 'paid'">Pay now</button></section>`);
  expect(await outcome('element.click', { id: await idBy('#box') })).toBe('permission_denied');
  expect(JSON.stringify(asked)).toContain('Pay now');
  expect(await page.title()).toBe('calm');
});

test.each([
  ['when the pointer comes', 'swap();'],
  ['after a while', 'setTimeout(swap, 25);'],
  ['as a new frame', 'victim.src = victim.src; swap();'],
])('[finding 5] a frame of another site, swapped in %s, gets nothing', async (_, swap) => {
  pages.set(
    '/victim',
    `<button ${FULL}>Pay now</button><script>for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])
      addEventListener(type, () => parent.postMessage('paid by ' + type, '*'));</script>`,
  );
  await show(`<script>addEventListener('message', ({ data }) => { if (data.startsWith('paid')) document.title = data; });</script>
    <button id=next style="position:absolute;left:50px;top:50px;width:200px;height:60px">Next</button>
    <iframe id=victim src="http://localhost:${port}/victim" style="position:absolute;left:40px;top:40px;width:240px;height:90px;opacity:0.01;border:0;z-index:-1"></iframe>
    <script>const swap = () => { victim.style.zIndex = '1'; };
      next.onpointerover = () => { ${swap} };</script>`);
  await outcome('pointer.click', { x: 150, y: 80 });
  await outcome('element.click', { id: await idBy('#next') });
  expect(await page.title()).toBe('calm');
  expect(asked).toHaveLength(0);
});

test('Enter whose keydown moves the focus presses nothing there', async () => {
  await show(`<button id=next>Next</button><button id=pay onclick="document.title = 'paid'">Pay now</button>
    <script>next.onkeydown = () => pay.focus();</script>`);
  await outcome('element.focus', { id: await idBy('#next') });
  await outcome('keyboard.press', { key: 'Enter' });
  expect(await page.title()).toBe('calm');
});

test('a harmless press works, also in a frame of another site', async () => {
  pages.set('/inner', `<button onclick="this.textContent = 'Pressed'" ${FULL}>Inner</button>`);
  await show(`<button id=next onclick="document.title = 'pressed'">Next</button>
    <iframe src="http://localhost:${port}/inner"></iframe>`);
  expect(await outcome('element.click', { id: await idBy('#next') })).toBe('done');
  expect(await page.title()).toBe('pressed');
  const inner = page.frameLocator('iframe').locator('button');
  await inner.waitFor();
  const box = await inner.boundingBox();
  const middle = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  expect(await outcome('pointer.click', middle)).toBe('done');
  await expect.poll(() => inner.textContent()).toBe('Pressed');
});

test('[BRG-175] does not enter, press or fill a frame of a private address before a yes', async () => {
  const origin = `http://localhost:${await listenOnLoopback(router)}`;
  await show(
    `<iframe id=far src="${origin}/" style="position:fixed;left:0;top:0;width:300px;height:200px;border:0"></iframe>`,
  );
  await page.frameLocator('iframe').locator('button').waitFor();
  const look = async () => JSON.stringify(await call('page.snapshot', { scope: 'page' }));
  expect(await look()).not.toContain('4711');
  expect(JSON.stringify(await call('page.read'))).not.toContain('4711');
  expect(await call('page.snapshot')).toMatchObject({
    closed_frames: [expect.stringContaining(`${origin} closed: `)],
  });
  expect(asked).toEqual([]);
  const denied = { code: 'permission_denied', evidence: { reason: 'local_network', origin } };
  const frame = page.frames()[1];
  await expect(call('pointer.click', { x: 40, y: 20 })).rejects.toMatchObject(denied);
  await frame?.locator('input').focus();
  await expect(call('text.type', { text: 'x' })).rejects.toMatchObject(denied);
  await expect(call('pointer.move', { x: 40, y: 20 })).rejects.toMatchObject(denied);
  expect(await frame?.locator('button').textContent()).toBe('Admin 4711');
  expect(await frame?.locator('input').inputValue()).toBe('');
  expect(asked).toMatchObject([
    { kind: 'address', origin },
    { kind: 'address', origin },
  ]);
  decision = 'once';
  await call('pointer.click', { x: 40, y: 20 });
  expect(await frame?.locator('button').textContent()).toBe('Done');
  expect(await look()).toContain('Done');
  expect(asked).toHaveLength(3);
});

const textOf = async (name: string, args: object = {}): Promise<string> =>
  call(name, args).then(
    JSON.stringify,
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  );

test('[BRG-189] [BRG-190] shows console and requests through the debugger, after a yes', async () => {
  await show(`<label>Password <input type=password id=secret value="kestrel7Qx"></label>
    <script>console.log('logged', secret.value); localStorage.setItem('cart', 'lamp'); document.cookie = 'theme=dark'</script>
    <button onclick="fetch('/data?p=' + secret.value).then(() => { document.title = 'fetched' })">Get</button>`);
  pages.set('/data', 'you typed kestrel7Qx');
  expect(await textOf('inspect.messages')).toContain('permission_denied');
  decision = 'once';
  await call('inspect.requests');
  await call('element.click', { id: await idBy('button') });
  await expect.poll(() => page.title()).toBe('fetched');
  const messages = await textOf('inspect.messages');
  expect(messages).toContain('logged •••');
  const requests = await textOf('inspect.requests', { query: '/data' });
  expect(requests).toContain('/data?p=•••');
  const body = await textOf('inspect.body', { request_id: /"request_id":"(r\d+)"/.exec(requests)?.[1] });
  expect(body).toContain('you typed •••');
  const storage = await textOf('inspect.storage');
  expect(storage).toContain('"name":"theme","http_only":false');
  expect(storage).toContain('"name":"cart"');
  expect(messages + requests + body + storage).not.toMatch(/kestrel|dark/);
  expect(asked.filter((each) => Reflect.get(Object(each), 'name') === 'inspect')).toHaveLength(2);
});

test('[BRG-189] says why a tab without the debugger has no console, and shows names all the same', async () => {
  const tabId = await harness.tabIdOf(page);
  await harness.ask({ do: 'release', tabId });
  await harness.ask({ do: 'lend', tabId });
  await show('<script>localStorage.setItem("cart", "lamp")</script>');
  decision = 'once';
  for (const name of ['inspect.messages', 'inspect.requests'])
    expect(await textOf(name)).toMatch(/^capability_unavailable .*trusted input/);
  const storage = await textOf('inspect.storage');
  expect(storage).toContain('"name":"cart"');
  expect(storage).toContain('HttpOnly cookies');
});
