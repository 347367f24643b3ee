import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '@drawbridge/manifest';
import type { Manifest } from '@drawbridge/protocol/manifest';
import { type OpenPage, openPage, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostOf } from '../../test/drift/page-host.ts';
import type { DriftPart, DriftReport } from './drift.ts';
import { driftReport } from './drift-report.ts';
import { driftText } from './drift-text.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

type Page = OpenPage['page'];

function mapOf(text: string): Manifest {
  const result = validate(text);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.map;
}

const SHOP = mapOf(readFileSync(join(import.meta.dirname, '../../../../maps/shop/actions.json'), 'utf8'));

/** Elements that the page's scripts create last. */
const MADE_LAST: readonly (readonly [string, string])[] = [
  ['/products/', '[data-testid=add-to-cart]'],
  ['/search', '#search li.card'],
  ['/cart', '#cart p'],
  ['/', '[data-testid=cart-count]'],
];

async function reportAt(path: string, change: (page: Page) => Promise<unknown> = async () => {}) {
  await using opened = await openPage({ baseURL: shop.url });
  const { page } = opened;
  await page.goto(path);
  const [, last = 'h1'] = MADE_LAST.find(([start]) => path.startsWith(start)) ?? [];
  await page.locator(last).first().waitFor();
  await change(page);
  return await driftReport(SHOP, await hostOf(page), () => 0);
}

const partsOf = ({ parts }: DriftReport, status: DriftPart['status']) =>
  parts.filter((part) => part.status === status).map(({ part }) => part);

const partOf = ({ parts }: DriftReport, name: string): DriftPart => {
  const found = parts.find(({ part }) => part === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};

describe('on the shop that its map describes', () => {
  test.each(['/', '/products/dusk-table-lamp', '/search?q=lamp', '/cart'])(
    '%s has nothing missing',
    async (path) => {
      const report = await reportAt(path);
      expect(partsOf(report, 'missing')).toEqual([]);
      expect(report.ok).toBe(true);
      expect(driftText(report)).toContain('the map fits');
    },
  );

  test('does not look for parts of other pages', async () => {
    const report = await reportAt('/');
    expect(partsOf(report, 'elsewhere')).toContain('tool cart.add');
    expect(partsOf(report, 'elsewhere')).toContain('projection shop.order, number');
    expect(partOf(report, 'tool search.open').status).toBe('ok');
  });

  test('reports ambiguous when a target fits several elements', async () => {
    expect(partOf(await reportAt('/search?q=lamp'), 'tool product.open')).toMatchObject({
      status: 'ambiguous',
      count: 3,
    });
  });
});

describe('on a rebuilt shop', () => {
  test("reports a button without its test id as missing and finds it by the map's description", async () => {
    const report = await reportAt('/products/dusk-table-lamp', (page) =>
      page.getByTestId('add-to-cart').evaluate((button) => {
        button.removeAttribute('data-testid');
        button.setAttribute('class', 'x9');
        button.id = 'buy-box-add';
      }),
    );
    expect(report.ok).toBe(false);
    const part = partOf(report, 'tool cart.add');
    expect(part.status).toBe('missing');
    expect(partOf(report, 'state product_open').status).toBe('missing');
    expect(part.repairs[0]).toMatchObject({
      selector: '#buy-box-add',
      role: 'button',
      name: 'Add to cart',
    });
    expect(part.repairs[0]?.confidence).toBeGreaterThan(0.7);
    expect(driftText(report)).toContain('perhaps #buy-box-add');
  });

  test('finds a link that moved out of its box by its destination', async () => {
    const report = await reportAt('/', (page) =>
      page.evaluate(() => document.querySelector('nav.you')?.setAttribute('class', 'account')),
    );
    expect(partOf(report, 'check cart_link_visible').status).toBe('missing');
    const [repair] = partOf(report, 'state shop_open').repairs;
    expect(repair).toMatchObject({ role: 'link' });
    expect(repair?.because).toContain('it leads to the same address');
    await using opened = await openPage({ baseURL: shop.url });
    await opened.page.goto('/');
    expect(await opened.page.locator(repair?.selector ?? '').getAttribute('href')).toBe('/cart');
  });

  test('reports a missing required field of a projection, but no optional one', async () => {
    const report = await reportAt('/search?q=lamp', async (page) => {
      // The list is rendered again after the cart has loaded.
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => {
        for (const each of document.querySelectorAll('#search .price')) each.className = 'amount';
        document.querySelector('[data-testid=cart-count]')?.setAttribute('data-testid', 'basket-count');
      });
    });
    expect(partsOf(report, 'missing')).toContain('projection shop.results, cards.price');
    expect(partsOf(report, 'missing')).toContain('projection shop.cart_badge, count');
    expect(partsOf(report, 'unsure')).toContain('projection shop.results, cards.tag');
  });

  test('suggests nothing when no element is similar', async () => {
    const report = await reportAt('/products/dusk-table-lamp', (page) =>
      page.evaluate(() => document.querySelector('article.product')?.remove()),
    );
    const repairs = partOf(report, 'tool cart.add').repairs.filter(({ confidence }) => confidence > 0.6);
    expect(repairs).toEqual([]);
  });
});

const PAGE = `<!doctype html><title>Desk</title><h1>Desk</h1>
<button class="go" aria-label="Send\u001b[31m it">Send</button>
<button class="go2">Old</button><a id="help" href="/help">Help</a>`;

const TARGETS = {
  go: { selector: '#send', fallback_selectors: ['.go'] },
  several: { selector: 'button' },
  broken: { selector: '#a[' },
  here: { selector: '#help' },
  renamed: { selector: '#submit', role: 'button', text_contains: 'Send' },
};

async function reportOn(targets: Readonly<Record<string, object>>): Promise<DriftReport> {
  await using opened = await openPage();
  await opened.page.setContent(PAGE);
  const tools = Object.entries(targets).map(([name, target]) => ({
    name,
    description: name,
    input_schema: { type: 'object' },
    target,
    workflow: { version: 1 as const, expression_language: 'jsonata' as const, steps: [] },
  }));
  return await driftReport(
    { protocol: 'actions.json', version: 1, tools },
    await hostOf(opened.page),
    () => 0,
  );
}

test('reports how a part was found, or why it could not be looked for', async () => {
  const report = await reportOn(TARGETS);
  const statuses = report.parts.map(({ part, status }) => [part, status]);
  expect(statuses).toEqual([
    ['tool go', 'fallback'],
    ['tool several', 'ambiguous'],
    ['tool broken', 'failed'],
    ['tool here', 'ok'],
    ['tool renamed', 'missing'],
  ]);
  expect(report.counts).toMatchObject({ ok: 1, fallback: 1, ambiguous: 1, failed: 1, missing: 1 });
  expect(partOf(report, 'tool renamed').repairs.length).toBeGreaterThan(0);
});

test('strips control characters of page text from terminal output', async () => {
  const text = driftText(await reportOn(TARGETS));
  expect(text).toContain('Send');
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test('finds nothing to look for in an empty map', async () => {
  const report = await reportOn({});
  expect(report).toMatchObject({ ok: true, parts: [] });
  expect(driftText(report)).toContain('nothing to look for');
});
