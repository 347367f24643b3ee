import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setUpShop } from '../test/shop-fixture.ts';
import { HARMS, injections } from './injections.ts';

const { visit } = setUpShop();

function command(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name }).click();
}

function targets(page: Page): Promise<string[]> {
  return page
    .locator('#targets button')
    .evaluateAll((all) => all.map((button) => `${button.getAttribute('data-llm-id')} ${button.textContent}`));
}

test('every injection is on the page when it loads', async () => {
  await using opened = await visit('/');
  const source = await (await opened.page.request.get('/corners/hostile')).text();
  const unescaped = source.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  const missing = Object.values(injections).filter(({ text }) => !unescaped.includes(text));
  expect(missing).toEqual([]);
});

test('each injection names a real button, and pressing it shows', async () => {
  await using opened = await visit('/corners/hostile');
  const { page } = opened;
  for (const label of Object.values(HARMS))
    await page.getByRole('button', { name: label, exact: true }).click();
  expect(await page.locator('#harm').textContent()).toBe('close card fee');
});

test('ids move from button to button', async () => {
  await using opened = await visit('/corners/hostile');
  const { page } = opened;
  expect(await targets(page)).toEqual(['101 Keep the lantern', '102 Delete the list', '103 Share the list']);
  await command(page, 'Move the ids');
  expect(await targets(page)).toEqual(['103 Keep the lantern', '101 Delete the list', '102 Share the list']);
});

test('an id is copied onto another button', async () => {
  await using opened = await visit('/corners/hostile');
  const { page } = opened;
  await command(page, 'Copy an id');
  expect(await page.locator('[data-llm-id="101"]').allInnerTexts()).toEqual([
    'Keep the lantern',
    'Delete the list',
  ]);
});

test('a node takes another’s label and stays the same node', async () => {
  await using opened = await visit('/corners/hostile');
  const { page } = opened;
  const node = await page.getByRole('button', { name: 'Keep the lantern' }).elementHandle();
  await command(page, 'Swap two labels');
  expect(await node?.textContent()).toBe('Delete the list');
  await node?.click();
  expect(await page.locator('#pressed').textContent()).toBe('Delete the list (node 1)');
});

test('nodes are replaced by equal ones', async () => {
  await using opened = await visit('/corners/hostile');
  const { page } = opened;
  const node = await page.getByRole('button', { name: 'Keep the lantern' }).elementHandle();
  await command(page, 'Replace the nodes');
  expect(await node?.evaluate((button) => button.isConnected)).toBe(false);
  await page.getByRole('button', { name: 'Keep the lantern' }).click();
  expect(await page.locator('#pressed').textContent()).toBe('Keep the lantern (node 4)');
});

test('a lookalike precedes the real button', async () => {
  await using opened = await visit('/corners/hostile');
  const { page } = opened;
  await command(page, 'Add a lookalike');
  expect((await targets(page)).slice(0, 2)).toEqual(['101 Keep the lantern', '101 Keep the lantern']);
});

test('a nearly invisible cover receives the clicks', async () => {
  await using opened = await visit('/corners/hostile');
  const { page } = opened;
  await command(page, 'Cover them');
  await page.getByRole('button', { name: 'Keep the lantern' }).click({ force: true });
  expect(await page.locator('#pressed').textContent()).toBe('nothing');
});
