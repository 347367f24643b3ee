import { openPage } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { surfaceScript } from './runtime-bundle.ts';

const MOST_GZIP_BYTES = 80_000;

test('builds one script with page code and the page side of primitives, and evaluates no strings as code', async () => {
  const { code, gzipBytes } = await surfaceScript();
  expect(gzipBytes).toBeLessThan(MOST_GZIP_BYTES);
  expect(code).not.toMatch(/\beval\b|\bnew\s+Function\b|\bimport\s*\(/);
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
