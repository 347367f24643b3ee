import { createServer } from 'node:http';
import { listenOnLoopback, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
let site: string;

const PAGES: Readonly<Record<string, string>> = {
  '/page': `<h1>Holder</h1><iframe id="far" title="Far" style="width:400px;height:600px;border:5px solid;padding:3px"></iframe>
    <script>far.src = location.origin.replace('127.0.0.1', 'localhost') + '/inner'</script>`,
  '/inner': `<button onclick="this.textContent = this.textContent === 'Inner' ? 'Pressed once' : 'Pressed twice'">Inner</button><input aria-label="Word"><iframe srcdoc="<button>Nested</button>"></iframe>
    <iframe id="back" title="Back" style="height:60px"></iframe>
    <script>back.src = location.origin.replace('localhost', '127.0.0.1') + '/deep'</script>`,
  '/deep': '<button>Deep</button>',
  '/closed': `<x-box></x-box><script>
    customElements.define('x-box', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<button>Hidden</button>'; }
    });</script>`,
};

beforeAll(async () => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>${pathname}</title>${PAGES[pathname] ?? ''}`);
  });
  site = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  [shop, paired, harness] = await Promise.all([startShop(), startPairRelay(), startExtensionHarness()]);
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
  await harness.openAddresses(site, site.replace('127.0.0.1', 'localhost'));
  page = await harness.open(shop.url);
  await harness.press(page);
  await harness.until(({ tabs }) => tabs.length === 1);
}, 300_000);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await shop?.close();
});

const call = (name: string, args: object = {}): Promise<unknown> =>
  paired.relay.bridge.call({ name, arguments: { ...args } }).output;

async function goTo(url: string): Promise<void> {
  await page.goto(url);
  await expect.poll(() => call('page.info').catch(() => undefined)).toMatchObject({ url });
}

interface Node {
  readonly i: string;
  readonly n: string;
  readonly xy: readonly [number, number];
}

async function nodes(): Promise<readonly Node[]> {
  const { page: seen } = (await call('page.snapshot', { scope: 'page' })) as {
    page: { interactive_tree: readonly Node[] };
  };
  return seen.interactive_tree;
}

async function nodeNamed(name: string): Promise<Node> {
  let found: Node | undefined;
  await expect
    .poll(async () => {
      found = (await nodes()).find(({ n }) => n === name);
      return found;
    })
    .toBeDefined();
  if (found === undefined) throw new Error(`Nothing is called ${name}.`);
  return found;
}

test('sees, reads, presses and fills cross-origin frames as one page', async () => {
  await goTo(`${site}/page`);
  const { i, xy } = await nodeNamed('Inner');
  expect(i).toMatch(/^f\d{3}_/);
  await page.mouse.click(...xy);
  expect(await page.frameLocator('#far').locator('button').first().textContent()).toBe('Pressed once');
  const again = await nodeNamed('Pressed once');
  expect(await call('element.click', { id: again.i })).toMatchObject({
    action: 'click',
    fidelity: 'synthetic',
  });
  expect(await page.frameLocator('#far').locator('button').first().textContent()).toBe('Pressed twice');
  const word = await nodeNamed('Word');
  expect(await call('element.fill', { id: word.i, text: 'lamp' })).toMatchObject({ reads: 'lamp' });
  await nodeNamed('Nested');
  await nodeNamed('Deep');
  expect(((await call('page.read')) as { text: string }).text).toContain('Holder');
});

test('finds a frame again after it was removed and added', async () => {
  await goTo(`${site}/page`);
  const { i } = await nodeNamed('Inner');
  await page
    .frames()
    .find((frame) => frame.url().endsWith('/inner'))
    ?.evaluate(() => location.reload());
  await expect.poll(async () => (await nodes()).find(({ n }) => n === 'Inner')?.i).not.toBe(i);
  await nodeNamed('Inner');
  await expect(call('element.click', { id: i })).rejects.toMatchObject({ code: 'target_not_found' });
});

test('works on a page with the strictest policy', async () => {
  await goTo(`${shop.url}/corners/strict`);
  expect((await nodes()).length).toBeGreaterThan(3);
});

test('sees and presses elements in a closed shadow root', async () => {
  await goTo(`${site}/closed`);
  const { i } = await nodeNamed('Hidden');
  expect(await call('element.click', { id: i })).toMatchObject({ action: 'click' });
});

/** Colour at a point of a picture, decoded by a browser. */
async function colourAt(image: string, x: number, y: number): Promise<readonly number[]> {
  return harness.inExtension(
    async ([text, left, top]) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      return [...(context?.getImageData(left, top, 1, 1).data ?? [])].slice(0, 3);
    },
    [image, x, y] as const,
  );
}

interface Picture {
  readonly image: string;
  readonly mime_type: string;
  readonly width: number;
}

test('[BRG-94] [INT-268] takes a picture in the requested size and format', async () => {
  await goTo(`${shop.url}/`);
  await page.bringToFront();
  // activeTab ended with the origin.
  await harness.press(page);
  await harness.until(({ tabs }) => tabs.length === 0);
  await harness.press(page);
  await harness.until(({ tabs }) => tabs.length === 1);
  await expect.poll(() => call('page.info').catch(() => undefined)).toBeDefined();
  const picture = (await call('browser.screenshot', {
    format: 'jpeg',
    quality: 70,
    max_width: 500,
  })) as Picture;
  expect(picture).toMatchObject({ mime_type: 'image/jpeg', width: 500 });
  expect(picture.image).toMatch(/^\/9j\//);
});

test('[INT-278] covers secrets, and unreadable frames as a whole', async () => {
  await harness.context.route('https://foreign.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<body style="background:red">' }),
  );
  await goTo(`${shop.url}/`);
  await page.evaluate(() => {
    document.body.innerHTML =
      '<input type="password" value="hunter2" style="position:fixed;left:0;top:300px;width:200px;height:50px;background:red">' +
      '<iframe src="https://foreign.test/" style="position:fixed;left:300px;top:300px;width:200px;height:100px;border:0"></iframe>';
  });
  await page.frameLocator('iframe').locator('body').waitFor();
  await page.bringToFront();
  const { image } = (await call('browser.screenshot')) as Picture;
  expect(await colourAt(image, 100, 325)).toEqual([0, 0, 0]);
  expect(await colourAt(image, 400, 350)).toEqual([0, 0, 0]);
  expect(await page.locator('[data-drawbridge=cover], [data-drawbridge=masks]').count()).toBe(0);
});

test('[INT-273] never pictures another tab in front', async () => {
  await goTo(`${shop.url}/`);
  const other = await harness.open('about:blank');
  await expect(call('browser.screenshot')).rejects.toMatchObject({ evidence: { reason: 'not_in_front' } });
  await other.evaluate(() => {
    document.body.style.background = 'rgb(1, 254, 3)';
  });
  const pictures: Picture[] = [];
  for (let flip = 0; flip < 4; flip++) {
    await page.bringToFront();
    const taking = call('browser.screenshot').then(
      (picture) => pictures.push(picture as Picture),
      (error: { evidence: { reason: string } }) =>
        expect(['not_in_front', 'not_permitted']).toContain(error.evidence.reason),
    );
    await other.bringToFront();
    await taking;
  }
  for (const { image } of pictures) expect(await colourAt(image, 20, 20)).not.toEqual([1, 254, 3]);
  await other.close();
});
