import { join } from 'node:path';
import { type OpenPage, openPage, type Shop, startShop } from '@drawbridge/testbed';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leanLibraries } from './lean-libraries.ts';
import { pageBundle } from './page-bundle.ts';

const MOST_GZIP_BYTES = 55_000;

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

describe('the script', () => {
  test('is at most 55 kB compressed', async () => {
    expect((await pageBundle()).gzipBytes).toBeLessThanOrEqual(MOST_GZIP_BYTES);
  });

  test('evaluates no strings as code, and writes no markup', async () => {
    const { code } = await pageBundle();
    expect(code).not.toMatch(/\beval\s*\(|new Function\b|Function\s*\(\s*["'`]|\bimport\s*\(/);
    expect(code).not.toMatch(/\.(?:innerHTML|outerHTML)\s*=[^=]|insertAdjacentHTML|document\.write/);
  });
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
      await world.call('close');
      expect(await text()).toBe(before);
      expect(await world.evaluate(`typeof globalThis[Symbol.for('drawbridge.page')]`)).toBe('undefined');
    },
  );
});

/** Static content, so that two scripts report the same. */
const STILL = `<!doctype html><title>Still</title><main><h1>Oak</h1><p id=said>No word yet</p>
  <form onsubmit="said.textContent = 'Saved'; return false"><label>Wood <input name=wood></label>
  <label>Password <input type=password value=hunter2></label><select name=way><option>air<option>sea</select>
  <label><input type=checkbox> Soon</label><button>Send</button><button disabled>Stop</button></form>
  <ul>${Array.from({ length: 12 }, (_, n) => `<li><a href="#${n}">Lamp ${n}</a><button>Buy</button></li>`).join('')}</ul></main>`;

test('uses the same keys in and out as its sources', async () => {
  const answers = async (code: string) => {
    await using opened = await openPage();
    await opened.page.setContent(STILL);
    return await answersOf(await isolatedWorld(opened, code));
  };
  const written = keysIn(await answers(await plainScript()));
  expect(keysIn(await answers((await pageBundle()).code))).toEqual(written);
  expect(written.length).toBeGreaterThan(150);
});

describe("in the page's own world", () => {
  test('sets one symbol, removed on close, and no name', async () => {
    await using opened = await openPage();
    await opened.page.setContent('<!doctype html><button>Go</button>');
    const names = () => opened.page.evaluate(() => Object.getOwnPropertyNames(window));
    const symbols = () => opened.page.evaluate(() => Object.getOwnPropertySymbols(window).map(String));
    const [namesBefore, symbolsBefore] = [await names(), await symbols()];
    await opened.page.evaluate((await pageBundle()).code);
    expect(await names()).toEqual(namesBefore);
    expect(await symbols()).toEqual([...symbolsBefore, 'Symbol(drawbridge.page)']);
    await opened.page.evaluate(() => Reflect.get(globalThis, Symbol.for('drawbridge.page')).page.close());
    expect(await symbols()).toEqual(symbolsBefore);
  });

  test('may run before the document exists', async () => {
    await using opened = await openPage({ baseURL: shop?.url ?? '' });
    await opened.page.addInitScript((await pageBundle()).code);
    await opened.page.goto('/corners/strict');
    const found = await opened.page.evaluate(() =>
      Reflect.get(globalThis, Symbol.for('drawbridge.page')).call('find', [{ role: 'button', name: 'Ask' }]),
    );
    expect(found).toMatchObject({ ok: true, value: { count: 1, visible: true } });
  });

  test('is called by its own method names only', async () => {
    await using opened = await openPage();
    await opened.page.setContent('<!doctype html><button>Go</button>');
    await opened.page.evaluate((await pageBundle()).code);
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
async function isolatedWorld({ page, context }: OpenPage, code?: string) {
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
  const inject = async () => evaluate(code ?? (await pageBundle()).code);
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

type World = Awaited<ReturnType<typeof isolatedWorld>>;

/** Answers about the page and its actions, including failures. */
async function answersOf(world: World): Promise<unknown[]> {
  const answer = async (name: string, ...args: unknown[]) =>
    world.evaluate(`globalThis[Symbol.for('drawbridge.page')].call('${name}', ${JSON.stringify(args)})`);
  const { page, snapshot_id: since } = await world.call('snapshot', { scope: 'page' });
  const idOf = (name: string): string =>
    page.interactive_tree.find(({ n }: { n: string }) => n.startsWith(name))?.i;
  const calls: [name: string, ...args: unknown[]][] = [
    ['snapshot', { form: 'full', boxes: true, context: true }],
    ['snapshot', { max_nodes: 4, query: 'lamp 3' }],
    ['snapshot', { form: 'lines' }],
    ['read', { max_tokens: 20 }],
    ['fullDom'],
    ['skeleton'],
    ['find', { selector: 'li button' }],
    ['find', { selector: 'b[' }],
    ['elementInfo', { selector: 'a' }],
    ['selectorPath', idOf('Send')],
    ['extract', [{ id: 'links', selector: 'a', fields: { to: { attribute: 'href' } } }]],
    ['secretBoxes'],
    ['fill', idOf('Wood'), 'oak', { expected: { value_changes: {} } }],
    ['check', idOf('Soon')],
    ['select', idOf('air'), ['sea']],
    ['select', idOf('Wood'), ['sea']],
    ['hover', idOf('Send')],
    ['focus', idOf('Wood')],
    ['keys', 'Tab'],
    ['scroll', undefined, { direction: 'down' }],
    ['click', idOf('Stop')],
    ['click', idOf('Send'), { expected: { text_appears: 'Saved' } }],
    ['preparePress', idOf('Send')],
    ['click', 'none'],
    ['delta', since],
    ['recentEvents'],
    ['untilStable', { quietMs: 20, timeoutMs: 500 }],
  ];
  const answers: unknown[] = [page];
  for (const [name, ...args] of calls) answers.push({ [name]: await answer(name, ...args) });
  return answers;
}

/** Paths of keys; list indexes and element ids are left out. */
function keysIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, inner]) => {
    const place = `${path}.${Array.isArray(value) ? '' : key}`;
    return [place, ...keysIn(inner, place)];
  });
  return [...new Set(inside)].sort();
}

/** The same modules, without compression or renaming. */
async function plainScript(): Promise<string> {
  const input = join(import.meta.dirname, '../inject.ts');
  const build = await rolldown({ input, platform: 'browser', tsconfig: false, plugins: [leanLibraries()] });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return output[0].code;
}
