import { openPage, sampled } from '@drawbridge/testbed';
import { en } from '@drawbridge/ui/model';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { lendTab } from '../test/test-tab.ts';
import { SIZES, type Size, sessionOf, TIMEOUT, type Visitor, visit } from '../test/visit.ts';
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

/** A phone has the rarer screens in its settings, and a screen for the list. */
const NAMES: Readonly<Record<Size, readonly string[]>> = {
  desk: [en.nav.tasks, en.nav.tabs, en.nav.devices, en.nav.audit, en.nav.settings],
  phone: [en.nav.sessions, en.nav.tasks, en.nav.tabs, en.nav.settings],
};
const namesWithout = (size: Size, ...absent: readonly string[]) =>
  NAMES[size].filter((name) => !absent.includes(name));

/** Opens each screen of the navigation, and names them. */
async function walk(page: Page): Promise<readonly string[]> {
  const nav = page.getByRole('navigation', { name: en.nav.main }).and(page.locator(':visible'));
  await nav.getByRole('link').first().waitFor(TIMEOUT);
  const names = await nav.getByRole('link').allTextContents();
  for (const name of names) {
    await nav.getByRole('link', { name }).click();
    const heading = name === en.nav.sessions ? en.app : name;
    await page.getByRole('main').getByRole('heading', { name: heading }).first().waitFor(TIMEOUT);
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

for (const size of sampled(['desk', 'phone'] as const, 2)) {
  test(`an owner is offered every screen, and revokes other devices, at ${size} size`, async () => {
    const { page, go } = await visit(harness, { size, role: 'owner', isFresh: true, label: 'First owner' });
    const refused = refusalsIn(page);
    expect(await walk(page)).toEqual(NAMES[size]);
    const options = await paletteOf(page);
    expect([offers(options, en.nav.audit), offers(options, en.launch.title)]).toEqual([true, true]);
    await go('/devices');
    await page.getByRole('button', { name: 'Revoke', exact: true }).first().waitFor();
    expect(refused).toEqual([]);
  });

  test(`a person is offered no screen and no button that the relay would refuse, at ${size} size`, async () => {
    const tab = lendTab(harness, `tab_of_person_${size}`);
    onTestFinished(tab.close);
    const { page, talk, go } = await visit(harness, { size, isFresh: true, label: 'A person' });
    const refused = refusalsIn(page);
    expect(await walk(page)).toEqual(namesWithout(size, en.nav.audit));
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

  test(`[CHT-92] an owner invites a guest, who is offered one session and nothing else, at ${size} size`, async () => {
    const shared = `shared_${size}`;
    const proxy = await session(shared);
    proxy.list(sessionOf(shared), sessionOf(`private_${size}`));
    const { page: owners, talk } = await visit(harness, {
      size,
      role: 'owner',
      isFresh: true,
      path: '/devices',
    });
    await talk.getByLabel(en.devices.role).selectOption({ label: en.devices.kinds.guest });
    await talk.getByLabel(en.devices.guestOf).selectOption({ label: `Name of ${shared}` });
    await talk.getByLabel(en.devices.nameOptional).fill(`Grace ${size}`);
    await talk.getByRole('button', { name: en.devices.makeLink }).click();
    await owners.getByRole('region', { name: 'Confirm that it is you' }).waitFor(TIMEOUT);
    await harness.confirm();
    const link = await talk.getByText(/#pair=/).textContent(TIMEOUT);
    const { page, close } = await openPage(SIZES[size]);
    onTestFinished(close);
    const refused = refusalsIn(page);
    await page.goto(link ?? '');
    const list = page.getByRole(size === 'phone' ? 'main' : 'complementary', { name: en.nav.sessions });
    await list.getByText(`Name of ${shared}`).waitFor(TIMEOUT);
    expect(await walk(page)).toEqual(namesWithout(size, en.nav.tasks, en.nav.tabs, en.nav.audit));
    if (size === 'phone') await page.getByRole('link', { name: en.nav.sessions }).click();
    expect(await page.getByText('Name of private').count()).toBe(0);
    expect(await page.getByRole('button', { name: en.launch.title }).count()).toBe(0);
    const options = await paletteOf(page);
    const absent = [en.launch.title, en.nav.tasks, en.nav.tabs, en.nav.audit];
    expect(absent.filter((text) => offers(options, text))).toEqual([]);
    await list.getByText(`Name of ${shared}`).click();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello from a guest');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect(await proxy.next('send_message')).toMatchObject({ content: 'Hello from a guest' });
    await owners.reload();
    await talk.getByText(`Grace ${size}`).waitFor(TIMEOUT);
    await talk
      .getByRole('listitem')
      .filter({ hasText: `Grace ${size}` })
      .getByText(en.devices.roles.guest)
      .waitFor();
    expect(refused).toEqual([]);
  });
}
