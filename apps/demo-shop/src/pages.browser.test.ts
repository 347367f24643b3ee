import { openPage, sampled } from '@drawbridge/testbed';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setUpShop } from '../test/shop-fixture.ts';
import { pagesWith } from './site-map.ts';

const { shop, visit } = setUpShop();

const PATHS = [
  ...pagesWith([])
    .map(({ path }) => path)
    .filter((path) => !path.includes(':')),
  '/corners/editor',
  '/products/dusk-table-lamp',
];
const BADLY_LABELLED = ['/corners/address'];
const CONTROLS = [
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'spinbutton',
] as const;

function watchForErrors(page: Page): string[] {
  const trouble: string[] = [];
  const ours = [shop().url, shop().payUrl];
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) trouble.push(message.text());
  });
  page.on('request', (request) => {
    if (!ours.includes(new URL(request.url()).origin)) trouble.push(`asked for ${request.url()}`);
  });
  return trouble;
}

async function unnamedControls(page: Page): Promise<number> {
  const counts = CONTROLS.map((role) => page.getByRole(role, { name: /^\s*$/ }).count());
  return (await Promise.all(counts)).reduce((total, count) => total + count, 0);
}

test.each(sampled(PATHS, 4))('%s is complete, logs no errors and fits a small phone', async (path) => {
  await using opened = await openPage({ baseURL: shop().url, viewport: { width: 320, height: 640 } });
  const { page } = opened;
  const trouble = watchForErrors(page);
  await page.goto(path);
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
  const seen = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    headings: document.querySelectorAll('h1').length,
    mains: document.querySelectorAll('main').length,
    tooWide: document.documentElement.scrollWidth > innerWidth,
    repeatedIds: [...document.querySelectorAll('[id]')]
      .map(({ id }) => id)
      .filter((id, index, all) => all.indexOf(id) !== index),
  }));
  expect(seen).toEqual({ lang: 'en', headings: 1, mains: 1, tooWide: false, repeatedIds: [] });
  expect(await page.title()).toContain('Lantern & Oak');
  expect(await unnamedControls(page)).toBe(BADLY_LABELLED.includes(path) ? 7 : 0);
  expect(trouble).toEqual([]);
});

test('the corners page links every corner, with a sentence each', async () => {
  await using opened = await visit('/corners');
  const signposts = opened.page.locator('.signposts li');
  expect(await signposts.count()).toBe(PATHS.filter((path) => path.startsWith('/corners/')).length + 3);
  for (const link of await signposts.getByRole('link').all()) {
    const answer = await opened.page.request.get((await link.getAttribute('href')) ?? '');
    expect(answer.status()).toBe(200);
  }
  expect((await signposts.locator('p').allInnerTexts()).every((sentence) => sentence.length > 20)).toBe(true);
});

test('an unknown address shows an error page', async () => {
  await using opened = await openPage({ baseURL: shop().url });
  const answer = await opened.page.goto('/products/no-such-thing');
  expect(answer?.status()).toBe(404);
  expect(await opened.page.locator('h1').textContent()).toBe('There is no such page');
});

test('the start page and adding to the cart work without JavaScript', async () => {
  await using opened = await visit('/', { javaScriptEnabled: false });
  const { page } = opened;
  expect(await page.locator('.card').count()).toBe(20);
  await page.getByRole('button', { name: 'Add Dusk table lamp to cart' }).click();
  await page.waitForURL('/cart');
  expect(await page.getByTestId('cart-count').textContent()).toBe('1');
});

test('the first Tab offers to skip to the content', async () => {
  await using opened = await visit('/');
  const { page } = opened;
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
  expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('See everything');
});

test('nothing moves when reduced motion is asked for', async () => {
  await using opened = await visit('/', { reducedMotion: 'reduce' });
  const moving = await opened.page.evaluate(() =>
    [...document.querySelectorAll('*')].some((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      return `${transitionDuration} ${animationDuration}`
        .split(/[ ,]+/)
        .some((time) => Number.parseFloat(time) > 0);
    }),
  );
  expect(moving).toBe(false);
});
