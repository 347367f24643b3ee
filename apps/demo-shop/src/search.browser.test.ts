import { expect, test } from 'vitest';
import { setUpShop } from '../test/shop-fixture.ts';

const { visit } = setUpShop();

test('results follow the letters as they are typed', async () => {
  await using opened = await visit('/search');
  const { page } = opened;
  await page.getByText('20 products').waitFor();
  await page.getByLabel('Search the shop').fill('mug');
  await page.getByText('2 products for “mug”').waitFor();
  expect(await page.locator('.card h2').allInnerTexts()).toEqual([
    'Stoneware mug, sand',
    'Stoneware mug, slate',
  ]);
  expect(new URL(page.url()).searchParams.get('q')).toBe('mug');
});

test('category and order filter and sort the list', async () => {
  await using opened = await visit('/search?category=Light');
  const { page } = opened;
  await page.getByText('5 products').waitFor();
  await page.getByLabel('Sort').selectOption('Cheapest first');
  await page.locator('.card h2').first().getByText('Pebble night light').waitFor();
  expect(await page.locator('.card .price').allInnerTexts()).toEqual([
    '24 €',
    '39 €',
    '49 €',
    '89 €',
    '129 €',
  ]);
});

test('nothing found offers a way back', async () => {
  await using opened = await visit('/search?q=submarine');
  const { page } = opened;
  await page.getByText('Nothing found for “submarine”.').waitFor();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await page.getByText('20 products').waitFor();
});

test('every render replaces every node, and focus moves to the new one', async () => {
  await using opened = await visit('/search?q=lamp');
  const { page } = opened;
  const button = page.getByRole('button', { name: 'Add Dusk table lamp to cart' });
  await button.focus();
  const before = await button.elementHandle();
  const neighbour = await page.getByTestId('product-harbour-floor-lamp').elementHandle();
  await page.keyboard.press('Enter');
  await page.getByText('1 in your cart').waitFor();
  expect(await before?.evaluate((node) => node.isConnected)).toBe(false);
  expect(await neighbour?.evaluate((node) => node.isConnected)).toBe(false);
  expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
});
