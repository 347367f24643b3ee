import { pageFaults, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillWithSamples } from '../test/sample-data.ts';
import { lendTab } from '../test/test-tab.ts';
import { type Size, type Visitor, visit } from '../test/visit.ts';
import { openWebHarness, type WebHarness } from '../test/web-harness.ts';

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
  await fetch(harness.url);
  await fillWithSamples(harness);
  lendTab(harness);
});
afterAll(() => harness.close());

test('lists waiting sessions first, then by machine and workspace, also for screen readers', async () => {
  const { page, go } = await visit(harness, { size: 'phone', role: 'owner', isFresh: true });
  const far = await harness.proxy('a machine with a name that nobody can read at a glance');
  far.list({
    ...{ session_id: 's_far', agent_type: 'codex', status: 'healthy', display_name: 'Far away' },
    machine_label: 'a machine with a name that nobody can read at a glance',
    workspace_path: '/srv/a-workspace-with-a-name-that-is-longer-than-any-telephone-is-wide',
  });
  await go('/');
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  await region('Needs you')
    .getByRole('link', { name: /codex-shop.*web-shop · studio/ })
    .waitFor();
  await region('payments-api studio')
    .getByRole('link', { name: /^Claude/ })
    .waitFor();
  await region('old-monolith laptop')
    .getByRole('link', { name: /Nightly refactor/ })
    .waitFor();
  await region('laptop').getByRole('link').first().waitFor();
  await page.getByRole('link', { name: /Far away/ }).waitFor();
  const headings = await page.getByRole('main').getByRole('heading').allTextContents();
  expect(headings.map((text) => text.trim())).toEqual([
    'Drawbridge',
    'Needs you 1',
    ...['a machine with a name that nobody can read at a glance 1'],
    'a-workspace-with-a-name-that-is-longer-than-any-telephone-is-wide',
    ...['laptop 1', 'old-monolith'],
    ...['studio 4', 'handbook', 'infra', 'payments-api', 'web-shop'],
    'First steps',
  ]);
  await page.getByRole('heading', { level: 2, name: 'studio 4', exact: true }).waitFor();
  const folder = page.getByRole('heading', { level: 3, name: 'payments-api' });
  expect(await folder.getAttribute('title')).toBe('/home/ada/payments-api');
  await page.getByRole('searchbox').fill('studio');
  expect(await region('Found').getByRole('link').count()).toBe(5);
  expect(await page.getByRole('heading', { level: 3 }).count()).toBe(0);
  await page.setViewportSize({ width: 320, height: 568 });
  await page.getByRole('searchbox').fill('changelog');
  await region('In messages')
    .getByRole('link', { name: /All 312 tests pass/ })
    .waitFor();
  await page.getByRole('searchbox').fill('dead link');
  const message = region('In messages').getByRole('link', { name: /two dead links are gone/ });
  await message.waitFor();
  expect(await isTooWide(page)).toBe(false);
  expect((await message.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await message.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/s/s_docs');
  await page.goBack();
  await page.getByRole('searchbox').fill('');
  await page.getByRole('heading', { level: 3 }).first().waitFor();
  expect(await isTooWide(page)).toBe(false);
  far.link.close();
});

const LOOKS: readonly (readonly [Size, 'light' | 'dark'])[] = [
  ['phone', 'light'],
  ['desk', 'dark'],
];

test.each(sampled(LOOKS, 2))('every screen passes axe and fits (%s, %s)', async (size, colorScheme) => {
  const { page, go } = await visit(harness, { size, role: 'owner', isFresh: true });
  await page.emulateMedia({ colorScheme });
  const seen: Record<string, readonly string[]> = {};
  const faults = () => pageFaults(page, size === 'phone' ? 'all' : 'looks');
  const check = async (name: string, path: string, shows: string) => {
    await go(path);
    await page.getByText(shows).and(page.locator(':visible')).first().waitFor();
    seen[name] = await faults();
  };
  const press = (name: string | RegExp) =>
    page.getByRole('button', { name }).and(page.locator(':visible')).first().click();
  const choose = (name: string) => page.getByRole('menuitem', { name }).click();
  /** Over a screen that was checked. */
  const open = async (role: 'menu' | 'dialog') => {
    const over = page.getByRole(role);
    await over.waitFor();
    seen[`${role} ${await over.textContent()}`] = await pageFaults(
      page,
      'all',
      role === 'menu' ? '[role=menu]' : 'dialog[open]',
    );
    return over;
  };
  const dismiss = async (role: 'menu' | 'dialog') => {
    await (await open(role)).press('Escape');
    await page.getByRole(role).waitFor({ state: 'detached' });
  };
  await check('list', '/', 'Nightly refactor');
  await press(/^Actions for codex-shop/);
  await dismiss('menu');
  await check('talk', '/s/s_codex', 'Allow once');
  await page.getByRole('button', { name: 'Details' }).click();
  seen['details'] = await faults();
  await go('/s/s_claude');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Good morning');
  await press('Send later');
  await open('menu');
  await choose('Choose a time…');
  await dismiss('dialog');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('');
  await go('/s/s_night');
  await page.getByRole('main').getByRole('button', { name: 'Actions for Nightly refactor' }).click();
  await open('menu');
  await choose('Delete for good');
  await dismiss('dialog');
  await check('step', '/s/s_task', 'Arc desk lamp');
  await check('tabs', '/tabs', 'Read: anything');
  await check('tasks', '/tasks', 'Describe the task');
  await page.getByLabel('Describe the task').fill('Order the lamp');
  await page.getByRole('button', { name: 'Start the task' }).click();
  await page.getByRole('button', { name: 'Open the conversation' }).waitFor();
  seen['started task'] = await faults();
  await check('devices', '/devices', 'Pair a device');
  await press('Revoke');
  await dismiss('dialog');
  await check('audit', '/audit', 'let in');
  await check('settings', '/settings', 'Keep conversations');
  await go('/');
  await page.getByRole('button', { name: 'Start an agent' }).click();
  await page.getByRole('dialog').waitFor();
  seen['launch'] = await faults();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  seen['palette'] = await faults();
  await page.keyboard.press('Escape');

  if (size === 'phone') seen['320 pixels, in the longer language'] = await tooWide({ page, go });
  else seen['3840 by 2160'] = await tooStretched({ page, go });

  await page.evaluate(() => indexedDB.deleteDatabase('drawbridge-browser-key'));
  await page.goto(harness.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  seen['pairing'] = await faults();
  expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, []])));
});

const SCREENS = [
  '/',
  '/s/s_codex',
  '/s/s_claude',
  '/s/s_task',
  '/tasks',
  '/tabs',
  '/devices',
  '/audit',
  '/settings',
];

/** Screens wider than 320 pixels, in either writing direction. */
async function tooWide({ page, go }: Pick<Visitor, 'page' | 'go'>): Promise<readonly string[]> {
  await page.setViewportSize({ width: 320, height: 568 });
  await go('/settings');
  await page.getByLabel('Language').selectOption('de');
  const wide: string[] = [];
  for (const path of SCREENS) {
    await go(path);
    await page.getByRole('heading', { level: 1 }).and(page.locator(':visible')).first().waitFor();
    for (const dir of ['rtl', 'ltr']) {
      await page.evaluate((direction) => {
        document.documentElement.dir = direction;
      }, dir);
      if (await isTooWide(page)) wide.push(`${path} ${dir}`);
    }
  }
  return wide;
}

/** Overlong lines and stretched controls on very large screens. */
async function tooStretched({ page, go }: Pick<Visitor, 'page' | 'go'>): Promise<readonly string[]> {
  await page.setViewportSize({ width: 3840, height: 2160 });
  const stretched: string[] = [];
  for (const path of SCREENS) {
    await go(path);
    await page.getByRole('heading', { level: 1 }).and(page.locator(':visible')).last().waitFor();
    stretched.push(...(await page.evaluate(stretchedParts)).map((part) => `${path} ${part}`));
    if (await isTooWide(page)) stretched.push(`${path} scrolls sideways`);
  }
  return stretched;
}

/** Runs in the page. A character is about half as wide as it is high. */
function stretchedParts(): readonly string[] {
  const MOST_CHARACTERS = 90;
  const WIDEST_CONTROL = 800;
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (parent === null || parent.closest('pre, code, .font-mono, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const half = Number.parseFloat(getComputedStyle(parent).fontSize) / 2;
    const shown = parent.getBoundingClientRect().width;
    const lines = [...range.getClientRects()].map(({ width }) => Math.min(width, shown) / half);
    const widest = Math.max(0, ...lines);
    if (widest > MOST_CHARACTERS) found.push(`${Math.round(widest)}: ${text.textContent?.slice(0, 60)}`);
  }
  for (const control of document.querySelectorAll('button, input, select, textarea')) {
    const { width } = control.getBoundingClientRect();
    if (width > WIDEST_CONTROL) found.push(`${width} px: ${control.outerHTML.slice(0, 80)}`);
  }
  return found;
}

const isTooWide = (page: Visitor['page']): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
