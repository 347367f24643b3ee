import { pageFaults } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { furnish } from './furnished.suite.ts';
import { openHouse, type TestHouse } from './test-house.suite.ts';
import { lendTab } from './test-tab.suite.ts';
import { type Size, type Visitor, visit } from './visit.suite.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse();
  await fetch(house.url);
  await furnish(house);
  lendTab(house);
});
afterAll(() => house.close());

const LOOKS: readonly (readonly [Size, 'light' | 'dark'])[] = [
  ['phone', 'light'],
  ['desk', 'dark'],
];

test.each(LOOKS)('every screen is clean of what axe finds, and fits (%s, %s)', async (size, colorScheme) => {
  const { page, context, go } = await visit(house, { size, role: 'owner', isFresh: true });
  await page.emulateMedia({ colorScheme });
  const seen: Record<string, readonly string[]> = {};
  const check = async (name: string, path: string, shows: string) => {
    await go(path);
    await page.getByText(shows).and(page.locator(':visible')).first().waitFor();
    seen[name] = await pageFaults(page);
  };
  await check('list', '/', 'Nightly refactor');
  await check('talk', '/s/s_codex', 'Allow once');
  await page.getByRole('button', { name: 'Details' }).click();
  seen['details'] = await pageFaults(page);
  await check('step', '/s/s_task', 'Arc desk lamp');
  await check('tabs', '/tabs', 'Read: anything');
  await check('tasks', '/tasks', 'What is to be done?');
  await page.getByLabel('What is to be done?').fill('Order the lamp');
  await page.getByRole('button', { name: 'Start the task' }).click();
  await page.getByRole('button', { name: 'Open its conversation' }).waitFor();
  seen['started task'] = await pageFaults(page);
  await check('devices', '/devices', 'Pair a device');
  await check('audit', '/audit', 'device added');
  await check('settings', '/settings', 'Keep conversations');
  await go('/');
  await page.getByRole('button', { name: 'Start an agent' }).click();
  await page.getByRole('dialog').waitFor();
  seen['launch'] = await pageFaults(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  seen['palette'] = await pageFaults(page);
  await page.keyboard.press('Escape');

  if (size === 'phone') seen['320 pixels, in the longer language'] = await tooWide({ page, go });

  await page.goto('about:blank');
  await context.clearCookies();
  await page.goto(house.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  seen['pairing'] = await pageFaults(page);
  expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, []])));
});

/** The screens that do not fit into 320 pixels, in either direction of writing. */
async function tooWide({ page, go }: Pick<Visitor, 'page' | 'go'>): Promise<readonly string[]> {
  await page.setViewportSize({ width: 320, height: 568 });
  await go('/settings');
  await page.getByLabel('Language').selectOption('de');
  const wide: string[] = [];
  for (const path of [
    '/',
    '/s/s_codex',
    '/s/s_claude',
    '/s/s_task',
    '/tasks',
    '/tabs',
    '/devices',
    '/audit',
    '/settings',
  ]) {
    await go(path);
    await page.getByRole('heading', { level: 1 }).and(page.locator(':visible')).first().waitFor();
    for (const dir of ['rtl', 'ltr']) {
      const isWide = await page.evaluate((direction) => {
        document.documentElement.dir = direction;
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth > clientWidth;
      }, dir);
      if (isWide) wide.push(`${path} ${dir}`);
    }
  }
  return wide;
}
