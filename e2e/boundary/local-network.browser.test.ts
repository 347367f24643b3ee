import { createServer } from 'node:http';
import { createLocalNetwork } from '@drawbridge/runtime';
import { decodePng } from '@drawbridge/runtime/test/hosts/cdp/decode-png';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { startLeadingSite } from './control-harness.ts';

let own: Awaited<ReturnType<typeof startLeadingSite>>;
let router: Awaited<ReturnType<typeof startLeadingSite>>;
let harness: BrowserHarness;
/** Contains a frame of another origin; the person opened its own origin. */
let holder: string;
const fetched: string[] = [];
let decision: 'once' | 'deny' = 'deny';
const person = answeringPerson(() => decision);
const closing = new AsyncDisposableStack();

beforeAll(async () => {
  own = await startLeadingSite(() => 0);
  router = await startLeadingSite(() => 0);
  closing.defer(own.close);
  closing.defer(router.close);
  const server = createServer(({ url = '/', headers }, response) => {
    fetched.push(`${headers.host}${url}`);
    const { pathname, searchParams } = new URL(url, 'http://site');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    const at = searchParams.get('at') ?? '';
    response.end(
      pathname === '/router'
        ? ROUTER
        : `<!doctype html><title>Holder</title><h1>Holder</h1>
      <iframe style="position:fixed;left:0;top:100px;width:300px;height:200px;border:0" onload="this.focus(); document.title = 'Loaded'" src="${at}"></iframe>`,
    );
  });
  holder = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  closing.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  closing.defer(async () => server.closeAllConnections());
  // Only these were opened by the person, as `up` does with its shop.
  harness = closing.use(
    await startBrowserHarness({
      asker: person,
      localNetwork: createLocalNetwork([own.url, holder]),
      args: ['--host-resolver-rules=MAP *.example 127.0.0.1'],
    }),
  );
});
afterAll(() => closing.disposeAsync());
beforeEach(() => {
  person.asked.length = 0;
  decision = 'deny';
});

const CANARY = 'Admin 4711';
const ROUTER = `<!doctype html><title>Router</title><body style="background:red;margin:0">
  <button style="width:300px;height:100px" onclick="this.textContent = 'Restarted'">${CANARY}</button>
  <input aria-label="${CANARY} name" autofocus>
  <iframe srcdoc="<button>${CANARY} nested</button>"></iframe>
  <iframe sandbox srcdoc="<button>${CANARY} boxed</button>"></iframe></body>`;

const DENIED = { code: 'permission_denied', evidence: { reason: 'local_network' } };

test('[BRG-175] an address that the person opened needs no question', async () => {
  await harness.goto(`${own.url}/`);
  expect(JSON.stringify(await harness.call('page.read'))).toContain('Shop');
  expect(await harness.call('page.fetch', { url: '/link' })).toMatchObject({ status: 200 });
  expect(person.asked).toEqual([]);
});

test('[BRG-175] no tab goes to another private address without a yes, whatever the grants', async () => {
  await harness.goto(`${own.url}/`);
  const other = router.url.replace('127.0.0.1', 'localhost');
  harness.grants.add({ origin: '*', covers: { effect: 'irreversible' }, by: 'the test' });
  for (const url of [`${router.url}/`, `${other}/`, 'http://192.168.1.1/', 'http://printer.local/'])
    for (const name of ['browser.navigate', 'browser.open_tab'])
      await expect(harness.call(name, { url }), url).rejects.toMatchObject(DENIED);
  expect(person.asked.map(({ origin }) => origin)).toEqual(
    [router.url, other, 'http://192.168.1.1', 'http://printer.local'].flatMap((each) => [each, each]),
  );
  expect(person.asked[0]?.sentence).toContain('in your own network');
  expect(await harness.call('page.info')).toMatchObject({ url: `${own.url}/` });
});

test('[BRG-175] a tab that was redirected or pressed there answers nothing before a yes', async () => {
  await harness.goto(`${own.url}/`);
  const to = encodeURIComponent(`${router.url}/`);
  await expect(
    harness.call('browser.navigate', { url: `${own.url}/redirect?to=${to}` }),
  ).rejects.toMatchObject(DENIED);
  for (const name of ['page.snapshot', 'page.info', 'page.read', 'browser.screenshot'])
    await expect(harness.call(name), name).rejects.toMatchObject(DENIED);
  // The tab may go elsewhere again without a question.
  person.asked.length = 0;
  await harness.goto(`${own.url}/link?to=${to}`);
  expect(person.asked).toEqual([]);
  const snapshot = JSON.stringify(await harness.call('page.snapshot'));
  const id = /"i":"?([\w-]+)"?[^{}]*"n":"Next page"/.exec(snapshot)?.[1];
  await expect(harness.call('element.click', { id })).rejects.toMatchObject(DENIED);
  await expect(harness.call('page.snapshot')).rejects.toMatchObject(DENIED);
  await harness.goto(`${own.url}/`);
});

test('[BRG-175] one yes is for that origin, until the browser is closed', async () => {
  await harness.goto(`${own.url}/`);
  decision = 'once';
  await harness.goto(`${router.url}/`);
  await harness.goto(`${router.url}/link`);
  await harness.call('page.snapshot');
  await harness.goto(`${own.url}/`);
  await harness.goto(`${router.url}/`);
  expect(person.asked.map(({ origin }) => origin)).toEqual([router.url]);
});

/** A private address by two of its names, and a public name that resolves to it. */
const NAMES = ['localhost', 'router.localhost', 'router.example'];
const routerAt = (name: string) => `${holder.replace('127.0.0.1', name)}/router`;
async function hold(name: string): Promise<void> {
  await harness.goto(`${holder}/?at=${encodeURIComponent(routerAt(name))}`);
  await expect.poll(() => harness.call('page.info')).toMatchObject({ title: 'Loaded' });
}
const IN_FRAME = { x: 150, y: 150 };

/** Chromium routes input into a frame after its first drawing: until then a press is refused, and nothing is done. */
const clickOnceDrawn = () => vi.waitFor(() => harness.call('pointer.click', IN_FRAME), { timeout: 60_000 });

test.each(NAMES)(
  '[BRG-175] a frame of %s is not read, pictured, pressed or typed in before a yes',
  async (name) => {
    await hold(name);
    const looks = { 'page.snapshot': { scope: 'page' }, 'page.read': {} };
    for (const [look, args] of Object.entries(looks))
      expect(JSON.stringify(await harness.call(look, args)), look).not.toContain(CANARY);
    const { closed_frames, text } = (await harness.call('page.snapshot', { form: 'lines' })) as {
      readonly closed_frames: readonly string[];
      readonly text: string;
    };
    const { origin: there } = new URL(routerAt(name));
    expect(closed_frames).toEqual([expect.stringContaining(`${there} closed: `)]);
    expect(text).toContain(closed_frames[0]);
    expect((await harness.call('page.read')) as { text: string }).toMatchObject({
      text: expect.stringContaining(`frame ${there} closed: `),
    });
    const { image } = (await harness.call('browser.screenshot')) as { readonly image: string };
    const seen = decodePng(Buffer.from(image, 'base64'));
    expect(seen.coloursIn({ left: 0, top: 100, width: 300, height: 200 })).toEqual(['0,0,0']);
    expect(person.asked).toEqual([]);
    for (const press of ['pointer.click', 'pointer.double_click'])
      await expect(harness.call(press, IN_FRAME), press).rejects.toMatchObject(DENIED);
    await expect(harness.call('pointer.move', IN_FRAME)).rejects.toMatchObject(DENIED);
    const origin = new URL(routerAt(name)).origin;
    // The line names the id, and pressing that asks.
    const id = /^frame (\S+) http/.exec(closed_frames[0] ?? '')?.[1];
    await expect(harness.call('element.click', { id })).rejects.toMatchObject(DENIED);
    expect(person.asked.map((each) => [each.kind, each.origin])).toEqual(Array(3).fill(['address', origin]));
    // A yes opens it, and is not asked for twice.
    decision = 'once';
    await clickOnceDrawn();
    expect(JSON.stringify(await harness.call('page.snapshot', { scope: 'page' }))).toContain(CANARY);
    await clickOnceDrawn();
    expect(person.asked.filter(({ kind }) => kind === 'address')).toHaveLength(4);
    expect(await harness.call('page.snapshot')).not.toHaveProperty('closed_frames');
  },
);

test('[BRG-175] keys do not reach the focus in a frame of a private address before a yes', async () => {
  await hold('keys.localhost');
  await expect(harness.call('keyboard.press', { key: 'x' })).rejects.toMatchObject(DENIED);
  await expect(harness.call('text.type', { text: 'x' })).rejects.toMatchObject(DENIED);
});

test('[BRG-175] asks for a public name that resolves to a private address', async () => {
  await harness.goto(`${own.url}/`);
  const url = routerAt('nas.example');
  await expect(harness.call('browser.navigate', { url })).rejects.toMatchObject(DENIED);
  for (const name of ['page.snapshot', 'page.info', 'browser.screenshot'])
    await expect(harness.call(name), name).rejects.toMatchObject(DENIED);
  expect(new Set(person.asked.map(({ origin }) => origin))).toEqual(new Set([new URL(url).origin]));
  decision = 'once';
  person.asked.length = 0;
  await harness.goto(url);
  expect(JSON.stringify(await harness.call('page.snapshot'))).toContain(CANARY);
  await harness.goto(`${url}?again`);
  expect(person.asked).toHaveLength(1);
});

test('[BRG-175] an overlay loads nothing', async () => {
  await harness.goto(`${own.url}/`);
  const at = routerAt('overlay.localhost');
  const { overlay_id } = (await harness.call('overlay.open', {
    html: `<p>Notes</p><img src="${at}?img"><iframe src="${at}?frame"></iframe><link rel="stylesheet" href="${at}?css">
      <embed src="${at}?embed"><style>p { background: url(${at}?style) }</style><meta http-equiv="refresh" content="0;url=${at}?refresh">`,
  })) as { readonly overlay_id: string };
  // The screenshot waits until everything has loaded and painted.
  await harness.call('browser.screenshot');
  expect(JSON.stringify(await harness.call('page.snapshot', { scope: 'page' }))).not.toContain(CANARY);
  await harness.call('overlay.close', { overlay_id });
  await harness.goto(`${holder}/?at=last`);
  expect(fetched.filter((each) => each.startsWith('overlay.localhost'))).toEqual([]);
});
