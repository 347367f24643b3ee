import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { furnish } from './furnished.suite.ts';
import { openHouse, type TestHouse } from './test-house.suite.ts';
import { type Size, visit } from './visit.suite.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse();
  await fetch(house.url);
  await furnish(house);
});
afterAll(() => house.close());

/** What axe finds against WCAG 2.2 AA, and whether the page scrolls sideways. */
async function faultsOf(page: Awaited<ReturnType<typeof visit>>['page']): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const here: typeof axe = Reflect.get(globalThis, 'axe');
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await here.run({ runOnly: tags, rules: { region: { enabled: false } } });
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)),
      ...(scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} > ${clientWidth}`] : []),
    ];
  });
}

const LOOKS: readonly (readonly [Size, 'light' | 'dark'])[] = [
  ['phone', 'light'],
  ['desk', 'dark'],
];

test.each(LOOKS)('every screen is clean of what axe finds, and fits (%s, %s)', async (size, colorScheme) => {
  const { page, context } = await visit(house, { size, colorScheme, role: 'owner' });
  // As a debugger would: the page's own policy lets no such script in.
  await context.addInitScript(axe.source);
  const seen: Record<string, readonly string[]> = {};
  const check = async (name: string, path: string, shows: string) => {
    await page.goto(house.url + path);
    await page.getByText(shows).and(page.locator(':visible')).first().waitFor();
    seen[name] = await faultsOf(page);
  };
  await check('list', '/', 'Nightly refactor');
  await check('talk', '/s/s_codex', 'Allow once');
  await page.getByRole('button', { name: 'Details' }).click();
  seen['details'] = await faultsOf(page);
  await check('task', '/s/s_task', 'Arc desk lamp');
  await check('devices', '/devices', 'Pair a device');
  await check('audit', '/audit', 'device added');
  await check('settings', '/settings', 'Keep conversations');
  await page.goto(house.url);
  await page.getByRole('button', { name: 'Start an agent' }).click();
  await page.getByRole('dialog').waitFor();
  seen['launch'] = await faultsOf(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  seen['palette'] = await faultsOf(page);
  await page.goto('about:blank');
  await context.clearCookies();
  await check('pairing', '/', 'Pair this device');
  expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, []])));
});

test('320 pixels are enough for every screen, in the longer language', async () => {
  const { page } = await visit(house, { role: 'owner' });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(`${house.url}/settings`);
  await page.getByLabel('Language').selectOption('de');
  for (const path of ['/', '/s/s_codex', '/s/s_claude', '/s/s_task', '/devices', '/audit', '/settings']) {
    await page.goto(house.url + path);
    await page.getByRole('heading', { level: 1 }).and(page.locator(':visible')).first().waitFor();
    const { wide, view } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      view: document.documentElement.clientWidth,
    }));
    expect(wide, path).toBe(view);
  }
});
