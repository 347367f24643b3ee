import { expect, test } from 'vitest';
import { setUpSites } from './sites-fixture.ts';

const { sites, visit } = setUpSites();

test('a reader finds a book page by page, holds it and releases it', async () => {
  await using opened = await visit('library');
  const { page } = opened;
  await page.getByRole('link', { name: 'Catalogue' }).click();
  await page.getByText('24 books', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('Page 2 of 3').waitFor();
  await page.getByLabel('Search the catalogue').fill('darwin');
  await page.keyboard.press('Enter');
  await page.getByText('2 books for “darwin”').waitFor();
  expect(await page.locator('.result h2').allTextContents()).toEqual([
    'The Voyage of the Beagle',
    'On the Origin of Species',
  ]);
  await page.getByRole('link', { name: 'The Voyage of the Beagle' }).click();
  await page.getByTestId('place-hold').click();
  await page.getByRole('heading', { name: 'Holds' }).waitFor();
  expect(await page.locator('.hold a').allTextContents()).toEqual(['The Voyage of the Beagle']);
  expect(await page.getByTestId('hold-count').textContent()).toBe('1');
  await page.getByRole('button', { name: 'Cancel hold on The Voyage of the Beagle' }).click();
  await page.getByText('No holds yet.').waitFor();
});

test('a card is added, moved and deleted after a confirmation', async () => {
  await using opened = await visit('board');
  const { page } = opened;
  await page.getByTestId('add-card').click();
  await page.getByRole('alert').getByText('Write what is to be done.').waitFor();
  await page.getByLabel('New card').fill('Water the greenhouse');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Move Water the greenhouse to Doing' }).click();
  const doing = page.getByRole('region', { name: 'Doing' });
  await doing.getByRole('link', { name: 'Delete Water the greenhouse' }).waitFor();
  await page.getByRole('link', { name: 'Delete Water the greenhouse' }).click();
  await page.getByTestId('confirm-delete').click();
  await page.waitForURL('/');
  expect(await page.locator('.card').count()).toBe(6);
});

test('visitors do not see each other, and a reset drops both', async () => {
  await using one = await visit('board');
  await using other = await visit('board');
  const done = '[data-lane="done"] .card';
  await one.page.getByRole('button', { name: 'Move Order compost to Done' }).click();
  await one.page.locator(done).nth(1).waitFor();
  await other.page.reload();
  expect(await other.page.locator(done).count()).toBe(1);
  sites().reset();
  await one.page.reload();
  expect(await one.page.locator(done).count()).toBe(1);
});

test('nothing is fetched from elsewhere, and an unknown page shows an error', async () => {
  await using opened = await visit('library');
  const { page } = opened;
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  const answer = await page.goto('/nowhere');
  expect(answer?.status()).toBe(404);
  expect([...hosts]).toEqual([new URL(sites().libraryUrl).host]);
});

test.each([
  ['library', '/catalogue'],
  ['board', '/'],
] as const)('the %s fits a phone without scrolling sideways', async (site, path) => {
  await using opened = await visit(site, path);
  await opened.page.setViewportSize({ width: 320, height: 640 });
  const [content, window] = await opened.page.evaluate(() => [
    document.documentElement.scrollWidth,
    innerWidth,
  ]);
  expect(content).toBeLessThanOrEqual(window);
});
