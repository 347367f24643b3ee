import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startShop } from '@drawbridge/testbed';
import { type Page, startExtensionHarness, startPairRelay } from '../test/extension-harness.ts';
import { orderingBrain } from './ordering-brain.ts';

/**
 * `node apps/extension/gallery/gallery.ts` takes the screenshots in docs/extension: the real build in
 * Chromium, paired with a real relay, ordering a lamp in the demo shop.
 */
const FOLDER = join(import.meta.dirname, '../../../docs/extension');
const SIZES = { 400: { width: 400, height: 720 }, 320: { width: 320, height: 640 } } as const;
const LOOKS = [
  [400, 'light'],
  [400, 'dark'],
  [320, 'light'],
  [320, 'dark'],
] as const;

await mkdir(FOLDER, { recursive: true });
for (const file of await readdir(FOLDER)) if (file.endsWith('.png')) await rm(join(FOLDER, file));
const { brain, hold } = orderingBrain();
await using paired = await startPairRelay({ brain: () => brain });
await using harness = await startExtensionHarness({ args: ['--disable-lcd-text', '--lang=en-US'] });
const shop = await startShop();

async function shoot(
  page: Page,
  name: string,
  looks: readonly (readonly [400 | 320, 'light' | 'dark'])[],
  height?: number,
): Promise<void> {
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ ...SIZES[width], ...(height !== undefined && { height }) });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, colorScheme);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    // The conversation places its rows again at another width.
    await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 500)));
    await writeFile(join(FOLDER, `${name}-${width}-${colorScheme}.png`), await page.screenshot());
  }
}

const pageOf = (name: string): Promise<Page> => harness.open(`chrome-extension://${harness.id}/${name}.html`);

const welcome = await pageOf('welcome');
await welcome.getByRole('heading', { level: 1 }).waitFor();
await shoot(welcome, 'welcome', [[400, 'light']], 1900);
await shoot(welcome, 'welcome', [[320, 'dark']], 2100);
await welcome.close();

const tab = await harness.open(`${shop.url}/products/dusk-table-lamp`);
/** In a separate window, so that the shop's tab stays active. */
const panelUrl = `chrome-extension://${harness.id}/sidepanel.html?tab=${await harness.tabIdOf(tab)}`;
const [panel] = await Promise.all([
  harness.context.waitForEvent('page'),
  harness.inExtension(async (url) => void (await chrome.windows.create({ url, type: 'popup' })), panelUrl),
]);
await panel.getByRole('button', { name: 'Pair with a relay' }).waitFor();
await shoot(panel, 'panel-unpaired', [[400, 'light']]);

const options = await pageOf('options');
await options.getByLabel('Pairing link').fill(await paired.pairLink());
await shoot(options, 'options-unpaired', [[400, 'light']]);
await options.getByLabel('Name of this browser').fill('Chrome at home');
await options.getByRole('button', { name: 'Pair', exact: true }).click();
await options.getByText('Paired as Chrome at home').waitFor();

await tab.bringToFront();
await panel.getByRole('button', { name: 'Connection: Live' }).waitFor();
await shoot(panel, 'panel-not-lent', [[400, 'light']]);
await panel.getByRole('button', { name: 'Lend this tab' }).click();
await panel.getByText('Describe a task for this page').waitFor();
await panel.getByLabel('Task or message').fill('Order the Dusk table lamp');
await panel.getByLabel('Task or message').press('Enter');
// The form that puts the lamp into the cart asks once.
await panel.locator('[data-armed=true]').first().waitFor();
await panel.getByRole('button', { name: 'Allow once' }).click();
await panel.getByText('Go to http').waitFor();
await panel.getByText('done', { exact: true }).nth(1).waitFor();
await shoot(panel, 'panel-running', LOOKS);
await panel.getByRole('button', { name: '1 tab lent' }).click();
await shoot(panel, 'panel-tabs', [[320, 'light']]);
await panel.getByRole('button', { name: 'Back' }).click();
hold.open();
const question = panel.getByRole('form', { name: 'The agent has a question' });
await question.waitFor();
await shoot(panel, 'panel-question', [
  [400, 'light'],
  [320, 'dark'],
]);
await question.getByLabel('Your answer').fill('Standard, please.');
await question.getByRole('button', { name: 'Answer' }).click();
await panel.locator('[data-armed=true]').first().waitFor();
await shoot(panel, 'panel-decision', LOOKS);
await panel.getByRole('button', { name: 'Allow once' }).click();
await panel.getByRole('region', { name: 'Task completed' }).locator('strong').waitFor();
await shoot(panel, 'panel-completed', [
  [400, 'light'],
  [320, 'dark'],
]);
await panel.getByRole('button', { name: 'More' }).click();
await panel.getByRole('menuitem', { name: 'Conversations' }).click();
await panel.getByText('in this tab').waitFor();
await shoot(panel, 'panel-conversations', [[400, 'dark']]);

await options.getByLabel('Site', { exact: true }).fill('https://bank.example');
await options.getByRole('button', { name: 'Add the rule' }).click();
await options.getByText('https://bank.example', { exact: true }).waitFor();
for (const look of LOOKS) await shoot(options, 'options', [look], look[0] === 400 ? 2_260 : 2_440);
await options.getByLabel('Language').selectOption('de');
await panel.getByRole('button', { name: 'Zurück', exact: true }).click();
await panel.getByText('ERLEDIGT', { exact: true }).waitFor();
await shoot(panel, 'panel-completed-de', [[320, 'light']]);
await shop.close();
console.log((await readdir(FOLDER)).map((file) => `docs/extension/${file}`).join('\n'));
