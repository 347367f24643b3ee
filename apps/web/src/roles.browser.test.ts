import { openPage } from '@drawbridge/testbed';
import { en } from '@drawbridge/ui/model';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { lendTab } from '../test/test-tab.ts';
import { sessionOf, TIMEOUT, type Visitor, visit } from '../test/visit.ts';
import { openWebHarness, type WebHarness } from '../test/web-harness.ts';

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
  await fetch(harness.url);
});
afterAll(() => harness.close());

type Page = Visitor['page'];

/** Requests that the relay refused: a screen offered more than its device may do. */
function refusalsIn(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname.startsWith('/api/') && answer.status() === 403) refused.push(pathname);
  });
  return refused;
}

const NAMES = [en.nav.tasks, en.nav.tabs, en.nav.devices, en.nav.audit, en.nav.settings];

/** Opens each screen of the navigation, and names them. */
async function walk(page: Page): Promise<readonly string[]> {
  const nav = page.getByRole('navigation', { name: en.nav.main });
  const names = await nav.getByRole('link').allTextContents();
  for (const name of names) {
    await nav.getByRole('link', { name }).click();
    await page.getByRole('main').getByRole('heading', { name }).first().waitFor(TIMEOUT);
  }
  return names;
}

async function paletteOf(page: Page): Promise<readonly string[]> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: en.palette.title });
  await palette.getByRole('option').first().waitFor(TIMEOUT);
  const found = await palette.getByRole('option').allTextContents();
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  return found;
}

const offers = (options: readonly string[], text: string): boolean =>
  options.some((option) => option.includes(text));

async function session(session_id: string) {
  const proxy = await harness.proxy(`machine of ${session_id}`);
  onTestFinished(() => proxy.link.close());
  proxy.list(sessionOf(session_id));
  return proxy;
}

test('an owner is offered every screen, and revokes other devices', async () => {
  const { page } = await visit(harness, { role: 'owner', isFresh: true, label: 'First owner' });
  const refused = refusalsIn(page);
  expect(await walk(page)).toEqual(NAMES);
  const options = await paletteOf(page);
  expect([offers(options, en.nav.audit), offers(options, en.launch.title)]).toEqual([true, true]);
  await page.getByRole('link', { name: en.nav.devices }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).first().waitFor();
  expect(refused).toEqual([]);
});

test('a person is offered no screen and no button that the relay would refuse', async () => {
  const tab = lendTab(harness, 'tab_of_person');
  onTestFinished(tab.close);
  const { page, talk, go } = await visit(harness, { isFresh: true, label: 'A person' });
  const refused = refusalsIn(page);
  expect(await walk(page)).toEqual(NAMES.filter((name) => name !== en.nav.audit));
  const options = await paletteOf(page);
  expect([offers(options, en.nav.audit), offers(options, en.launch.title)]).toEqual([false, true]);
  await go('/settings');
  await talk.getByRole('heading', { name: en.settings.title }).waitFor();
  expect(await talk.getByRole('button', { name: en.nav.audit }).count()).toBe(0);
  expect(await talk.getByRole('combobox', { name: en.settings.retention }).count()).toBe(0);
  await go('/devices');
  await talk.getByRole('button', { name: en.devices.signOut }).waitFor();
  expect(await talk.getByRole('button', { name: en.devices.revoke }).count(), 'only owners revoke').toBe(0);
  expect(await talk.getByRole('heading', { name: en.devices.add }).count()).toBe(0);
  await go('/audit');
  await talk.getByText(en.nav.notYours).waitFor();
  expect(refused).toEqual([]);
});

test('[CHT-92] an owner invites a guest, who is offered one session and nothing else', async () => {
  const proxy = await session('shared');
  proxy.list(sessionOf('shared'), sessionOf('private'));
  const { page: owners, talk } = await visit(harness, { role: 'owner', isFresh: true, path: '/devices' });
  await talk.getByLabel(en.devices.role).selectOption({ label: en.devices.kinds.guest });
  await talk.getByLabel(en.devices.guestOf).selectOption({ label: 'Name of shared' });
  await talk.getByLabel(en.devices.nameOptional).fill('Grace');
  await talk.getByRole('button', { name: en.devices.makeLink }).click();
  await owners
    .getByText(/confirm/i)
    .first()
    .waitFor(TIMEOUT);
  await harness.confirm();
  const link = await talk.getByText(/#pair=/).textContent(TIMEOUT);
  const { page, close } = await openPage({ viewport: { width: 1360, height: 860 } });
  onTestFinished(close);
  const refused = refusalsIn(page);
  await page.goto(link ?? '');
  const list = page.getByRole('complementary', { name: en.nav.sessions });
  await list.getByText('Name of shared').waitFor(TIMEOUT);
  expect(await walk(page)).toEqual([en.nav.devices, en.nav.settings]);
  expect(await page.getByText('Name of private').count()).toBe(0);
  expect(await page.getByRole('button', { name: en.launch.title }).count()).toBe(0);
  const options = await paletteOf(page);
  const absent = [en.launch.title, en.nav.tasks, en.nav.tabs, en.nav.audit];
  expect(absent.filter((text) => offers(options, text))).toEqual([]);
  await list.getByText('Name of shared').click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello from a guest');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  expect(await proxy.next('send_message')).toMatchObject({ content: 'Hello from a guest' });
  await owners.reload();
  await talk.getByText('Grace').waitFor(TIMEOUT);
  await talk.getByRole('listitem').filter({ hasText: 'Grace' }).getByText(en.devices.roles.guest).waitFor();
  expect(refused).toEqual([]);
});
