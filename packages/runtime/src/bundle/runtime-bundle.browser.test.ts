import { type OpenPage, openPage, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { surfaceScript } from './runtime-bundle.ts';

/** 110 kB in November 2026, with room: nobody notices a kilobyte in a script that is injected from memory. */
const MOST_GZIP_BYTES = 120_000;

let shop: Shop | undefined;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop?.close());

async function visit(path: string): Promise<OpenPage> {
  const opened = await openPage({ baseURL: shop?.url ?? '' });
  await opened.page.goto(path);
  return opened;
}

test('builds one script with page code and the page side of primitives, and evaluates no strings as code', async () => {
  const { code, gzipBytes } = await surfaceScript();
  expect(gzipBytes).toBeLessThan(MOST_GZIP_BYTES);
  expect(code).not.toMatch(/\beval\s*\(|\bnew\s+Function\b|Function\s*\(\s*["'`]|\bimport\s*\(/);
  expect((await surfaceScript()).code).toBe(code);
});

test('runs under a policy against inline code and markup, which refuses overlays', async () => {
  await using opened = await openPage();
  const { page, context } = opened;
  await context.route('https://strict.test/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': "default-src 'none'; require-trusted-types-for 'script'" },
      body: '<!doctype html><title>Strict</title><button id="go">Go</button>',
    }),
  );
  await page.goto('https://strict.test/');
  const { code } = await surfaceScript();
  await page.evaluate(code);
  await page.evaluate(code);
  const call = (name: string, args: object) =>
    page.evaluate(
      ([one, given]) => Reflect.get(globalThis, Symbol.for('drawbridge.page')).call(one, [given]),
      [name, args] as const,
    );
  expect(await call('dom.observe.visible', { selector: '#go' })).toMatchObject({
    ok: true,
    value: { match_count: 1 },
  });
  expect(await call('snapshot', {})).toMatchObject({
    ok: true,
    value: { snapshot_id: expect.stringMatching(/-1$/) },
  });
  expect(await call('overlay.open', { html: '<p>x</p>' })).toMatchObject({
    ok: false,
    error: { code: 'capability_unavailable', evidence: { reason: 'page_forbids_html' } },
  });
  expect(await call('constructor', {})).toMatchObject({ ok: false, error: { code: 'unknown_action' } });
});

test('takes the prefix that its host set and leaves no globals behind', async () => {
  await using opened = await openPage();
  const { page } = opened;
  await page.setContent('<!doctype html><title>Plain</title><button>Go</button>');
  const before = await page.content();
  const { code } = await surfaceScript();
  await page.evaluate(() => Reflect.set(globalThis, Symbol.for('drawbridge.options'), { prefix: 'f100_' }));
  await page.evaluate(code);
  const id = await page.evaluate(async () => {
    const injected = Reflect.get(globalThis, Symbol.for('drawbridge.page'));
    const { value } = await injected.call('locator.element_info', [{ locator: { selector: 'button' } }]);
    await injected.call('overlay.open', [{ html: 'x' }]);
    injected.page.close();
    return value.id;
  });
  expect(id).toBe('f100_1');
  expect(await page.content()).toBe(before);
  expect(await page.evaluate(() => Reflect.has(globalThis, Symbol.for('drawbridge.page')))).toBe(false);
});

describe('in an isolated world', () => {
  test('runs under the strictest policy, with Trusted Types, and acts there', async () => {
    await using opened = await visit('/corners/strict');
    const world = await isolatedWorld(opened);
    const { page } = await world.call('snapshot');
    const [field, ask] = ['Your question', 'Ask'].map((name) =>
      page.interactive_tree.find(({ n }: { n: string }) => n === name),
    );
    expect(await world.call('fill', field.i, 'Is it oak?')).toMatchObject({ ok: true, reads: 'Is it oak?' });
    expect(await world.call('click', ask.i)).toMatchObject({ ok: true });
    expect(await opened.page.textContent('output')).toBe('Asked: Is it oak?');
    expect(await world.call('installMarks', page.interactive_tree)).toBeGreaterThan(3);
    expect(await world.call('selectorPath', ask.i)).toBe('#question [type="submit"]');
    expect(await world.call('extract', [{ id: 'title', selector: 'h1' }])).toHaveProperty('matches.title');
  });

  test('leaves no name and no symbol in the page', async () => {
    await using opened = await visit('/corners/strict');
    const names = () =>
      opened.page.evaluate(() => [
        ...Object.getOwnPropertyNames(window),
        ...Object.getOwnPropertySymbols(window).map(String),
      ]);
    const before = await names();
    await (await isolatedWorld(opened)).call('snapshot');
    expect(await names()).toEqual(before);
  });

  test('[MAN-214] receives signals of the page with their data', async () => {
    await using opened = await visit('/corners/strict');
    const world = await isolatedWorld(opened);
    await world.call('listenForSignals', [{ name: 'shop.sent', event: 'shop:sent' }]);
    await opened.page.evaluate(() =>
      document.dispatchEvent(new CustomEvent('shop:sent', { detail: { id: 7 } })),
    );
    const received = { type: 'signal', event: 'shop:sent', detail: { id: 7 }, from: [], is_trusted: false };
    expect(await world.call('takeNotices')).toEqual([received]);
  });

  test('keeps ids when injected twice', async () => {
    await using opened = await visit('/corners/strict');
    const world = await isolatedWorld(opened);
    const ids = async () =>
      (await world.call('snapshot')).page.interactive_tree.map(({ i }: { i: string }) => i);
    const before = await ids();
    await world.inject();
    expect(await ids()).toEqual(before);
  });

  test.each(['/corners/strict', '/corners/shadow', '/corners/frames', '/login', '/'])(
    'taken away again, leaves %s as it was',
    async (path) => {
      await using opened = await visit(path);
      const text = () => opened.page.evaluate(() => new XMLSerializer().serializeToString(document));
      const before = await text();
      const world = await isolatedWorld(opened);
      const { page } = await world.call('snapshot', { scope: 'page' });
      await world.call('installMarks', page.interactive_tree);
      await world.call('installMasks');
      expect(await text()).not.toBe(before);
      await world.evaluate(`globalThis[Symbol.for('drawbridge.page')].page.close()`);
      expect(await text()).toBe(before);
      expect(await world.evaluate(`typeof globalThis[Symbol.for('drawbridge.page')]`)).toBe('undefined');
    },
  );
});

describe("in the page's own world", () => {
  test('sets one symbol, removed on close, and no name', async () => {
    await using opened = await openPage();
    await opened.page.setContent('<!doctype html><button>Go</button>');
    const names = () => opened.page.evaluate(() => Object.getOwnPropertyNames(window));
    const symbols = () => opened.page.evaluate(() => Object.getOwnPropertySymbols(window).map(String));
    const [namesBefore, symbolsBefore] = [await names(), await symbols()];
    await opened.page.evaluate((await surfaceScript()).code);
    expect(await names()).toEqual(namesBefore);
    expect(await symbols()).toEqual([...symbolsBefore, 'Symbol(drawbridge.page)']);
    await opened.page.evaluate(() => Reflect.get(globalThis, Symbol.for('drawbridge.page')).page.close());
    expect(await symbols()).toEqual(symbolsBefore);
  });

  test('may run before the document exists', async () => {
    await using opened = await openPage({ baseURL: shop?.url ?? '' });
    await opened.page.addInitScript((await surfaceScript()).code);
    await opened.page.goto('/corners/strict');
    const found = await opened.page.evaluate(() =>
      Reflect.get(globalThis, Symbol.for('drawbridge.page')).call('find', [{ role: 'button', name: 'Ask' }]),
    );
    expect(found).toMatchObject({ ok: true, value: { count: 1, visible: true } });
  });

  test('is called by its own method names only', async () => {
    await using opened = await openPage();
    await opened.page.setContent('<!doctype html><button>Go</button>');
    await opened.page.evaluate((await surfaceScript()).code);
    const call = (name: string, ...args: unknown[]) =>
      opened.page.evaluate(
        ([method, given]) => Reflect.get(globalThis, Symbol.for('drawbridge.page')).call(method, given),
        [name, args] as const,
      );
    expect(await call('find', { selector: 'button' })).toMatchObject({
      ok: true,
      value: { count: 1, text: 'Go' },
    });
    expect(await call('constructor')).toMatchObject({ ok: false, error: { code: 'unknown_action' } });
    expect(await call('find', { selector: 'b[' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
    expect(await call('snapshot', { region: '99' })).toMatchObject({
      ok: false,
      error: { code: 'target_not_found' },
    });
  });
});

/** Runs the script in an isolated world, like an extension or a debugger. */
async function isolatedWorld({ page, context }: OpenPage) {
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'drawbridge',
  });
  const evaluate = async (expression: string) => {
    const options = { contextId, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, ...options });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const inject = async () => evaluate((await surfaceScript()).code);
  await inject();
  return {
    evaluate,
    inject,
    async call(name: string, ...args: unknown[]) {
      const given = JSON.stringify(args);
      const answer = await evaluate(`globalThis[Symbol.for('drawbridge.page')].call('${name}', ${given})`);
      if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
      return answer.value;
    },
  };
}
