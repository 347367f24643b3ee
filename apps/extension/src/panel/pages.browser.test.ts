import { pageFaults, sampled } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { startAskingRelay } from '../../test/panel/asking-relay.ts';
import { builtPages } from '../../test/panel/opened-page.ts';
import { ended, furnished, questioned, running, STATE } from '../../test/panel/stand-in/states.ts';

const { openedPage } = builtPages();

const LOOKS = [
  { width: 400, dark: false, language: 'en' },
  { width: 320, dark: true, language: 'de' },
] as const;

test.each(sampled(LOOKS, 2))(
  'every screen passes axe and fits ($width px, dark: $dark, $language)',
  async ({ width, dark, language }) => {
    await using relay = await startAskingRelay();
    const spoken = (state: typeof STATE) => ({ ...state, settings: { ...state.settings, language } });
    const seen: Record<string, readonly string[]> = {};
    const rules = dark ? 'looks' : 'all';
    const panel = await openedPage('panel', { width, dark, state: spoken(running) });
    const { page, show, standIn } = panel;
    await standIn.evaluate((played, pairing) => played.pair(pairing), relay.pairing);
    await page.getByText('Live', { exact: true }).waitFor();
    seen['running'] = await pageFaults(panel.page, rules);
    relay.ask();
    relay.askElsewhere();
    await page.locator('[data-armed=true]').first().waitFor();
    seen['decision'] = await pageFaults(panel.page, rules);
    await page.getByRole('button', { name: /^(Connection|Verbindung)/ }).click();
    await show(spoken(questioned));
    await page.getByText('Which one?').first().waitFor();
    seen['question, health'] = await pageFaults(panel.page, rules);
    await show(spoken(ended));
    seen['completed'] = await pageFaults(panel.page, rules);
    await show(spoken({ ...STATE, tabs: [] }));
    seen['not lent'] = await pageFaults(panel.page, rules);
    await page.getByRole('button', { name: /^(More|Mehr)$/ }).click();
    await page.getByRole('menuitem').first().waitFor();
    seen['menu'] = await pageFaults(panel.page, 'all', '[role=menu]');
    await page.getByRole('menuitem').nth(0).click();
    await page.getByRole('heading', { name: 'travel.example' }).waitFor();
    seen['conversations'] = await pageFaults(panel.page, rules);
    await page.getByRole('button', { name: /^(More|Mehr)$/ }).click();
    await page.getByRole('menuitem').nth(1).click();
    await show(spoken(running));
    await page.getByText('Trains to Basel').waitFor();
    seen['lent tabs'] = await pageFaults(panel.page, rules);
    await show(spoken({ ...STATE, relay: { kind: 'unpaired' } }));
    seen['not paired'] = await pageFaults(panel.page, rules);

    const options = await openedPage('options', { width, dark, state: spoken(furnished) });
    await options.page.getByRole('heading', { level: 1 }).waitFor();
    seen['options'] = await pageFaults(options.page, rules);
    await options.page.getByRole('button', { name: /^(Unpair|Entkoppeln)$/ }).click();
    await options.page.getByRole('dialog').waitFor();
    seen['unpair'] = await pageFaults(options.page, 'all', 'dialog[open]');
    await options.page.keyboard.press('Escape');
    await options.show(
      spoken({ ...STATE, relay: { kind: 'refused', url: relay.pairing.url, why: 'revoked' } }),
    );
    seen['options, signed out'] = await pageFaults(options.page, rules);
    const welcome = await openedPage('welcome', {
      width,
      dark,
      state: spoken({ ...STATE, relay: { kind: 'unpaired' } }),
    });
    await welcome.page.getByRole('heading', { level: 1 }).waitFor();
    seen['welcome'] = await pageFaults(welcome.page, rules);
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, []])));
  },
);

test("options: pairs by link after Chrome's permission; refuses other text", async () => {
  const { page, standIn, commands, show } = await openedPage('options', {
    state: { ...STATE, relay: { kind: 'unpaired' } },
  });
  const link = page.getByLabel('Pairing link');
  await link.fill('http://127.0.0.1:7717/');
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await page.getByText('This is not a pairing link.').waitFor();
  expect(await commands()).toEqual([]);
  await link.fill(' http://127.0.0.1:7717/#pair=abcdefgh12345678 ');
  await page.getByLabel('Name of this browser').fill('Desk');
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  const pair = { do: 'pair', link: 'http://127.0.0.1:7717/#pair=abcdefgh12345678', name: 'Desk' };
  await expect.poll(commands).toEqual([pair]);
  expect(await standIn.evaluate(({ asked }) => [...asked])).toEqual(['http://127.0.0.1:7717']);
  await show(STATE);
  await page.getByText('Paired as Chrome on Linux').waitFor();
  await page.getByRole('button', { name: 'Unpair' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unpair' }).click();
  await expect.poll(commands).toEqual([pair, { do: 'unpair' }]);
});

test('options: revokes grants, adds site rules, sets the task server and the theme', async () => {
  const { page, commands } = await openedPage('options', { state: furnished });
  await page.getByRole('button', { name: 'Revoke: Act: send ordinary forms' }).waitFor();
  await page.getByRole('button', { name: 'Revoke: Act: cart.add' }).click();
  await expect.poll(commands).toEqual([{ do: 'revoke_grant', grantId: 'g2' }]);
  await page.getByLabel('Site', { exact: true }).fill('tax.example/login');
  await page.getByRole('button', { name: 'Add the rule' }).click();
  await page.getByText('https://tax.example', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove the rule for https://bank.example' }).click();
  await page.getByText('https://bank.example', { exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('Address').fill('http://localhost:8080');
  const server = page.getByRole('region', { name: 'Task server' });
  await server.getByRole('button', { name: 'Save' }).click();
  await server.getByText('The address must start with').waitFor();
  await page.getByLabel('Address').fill('wss://tasks.example');
  await page.getByLabel('Give up connecting after').fill('31');
  await server.getByRole('button', { name: 'Save' }).click();
  await server.getByText('Enter 1 to 30 seconds.').waitFor();
  await page.getByLabel('Give up connecting after').fill('5');
  await server.getByRole('button', { name: 'Save' }).click();
  await server.getByText('Saved.').waitFor();
  await page.getByLabel('Send only the essentials of a page').click();
  await expect.poll(() => page.getByLabel('Send only the essentials of a page').isChecked()).toBe(false);
  await page.getByLabel('Theme').selectOption('dark');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('heading', { name: 'Drawbridge-Optionen' }).waitFor();
  // Switching the language resets nothing on the page.
  await page.getByRole('region', { name: 'Aussehen' }).getByText('Gespeichert.').waitFor();
  expect((await commands()).at(-1)).toEqual({
    do: 'set',
    settings: {
      taskServer: { on: true, url: 'wss://tasks.example', connectSeconds: 5 },
      semantic: false,
      language: 'de',
      theme: 'dark',
      sites: [
        { origin: 'https://mail.example', rule: 'ask' },
        { origin: 'https://tax.example', rule: 'never' },
      ],
    },
  });
});

test('shows text of pages and people as text', async () => {
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const tab = { ...running.front[1], tabId: 7, title: hostile, url: 'https://shop.example/' };
  const { page } = await openedPage('panel', { state: { ...running, front: { 1: tab } } });
  await page.getByText(hostile).waitFor();
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(await page.title()).toBe('Drawbridge side panel');
});
