import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '@drawbridge/testbed';
import { furnish } from '../src/furnished.suite.ts';
import { openHouse } from '../src/test-house.suite.ts';
import { lendTab } from '../src/test-tab.suite.ts';
import { smallPng } from './small-png.suite.ts';

/** `node apps/web/gallery/gallery.suite.ts` makes the pictures in docs/gallery, from a house in which something goes on. */
const FOLDER = join(import.meta.dirname, '../../../docs/gallery');
const MAX_BYTES = 80_000;
const SIZES = { phone: { width: 390, height: 780 }, desk: { width: 1240, height: 720 } } as const;

await using browser = await launchChromium({ args: ['--disable-lcd-text'] });
const { context } = browser;
const page = context.pages()[0] ?? (await context.newPage());
await mkdir(FOLDER, { recursive: true });
for (const file of await readdir(FOLDER)) if (file.endsWith('.png')) await rm(join(FOLDER, file));

async function picture(
  name: string,
  size: keyof typeof SIZES,
  colorScheme: 'light' | 'dark',
  shows: string,
): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.getByText(shows).and(page.locator(':visible')).first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const bytes = smallPng(await page.screenshot());
  const file = `${name}-${size}-${colorScheme}.png`;
  if (bytes.length > MAX_BYTES) throw new Error(`${file} has ${bytes.length} bytes, more than ${MAX_BYTES}.`);
  await writeFile(join(FOLDER, file), bytes);
}

{
  await using empty = await openHouse();
  await page.goto(await empty.pairLink('owner', 'Desk'));
  await picture('empty', 'phone', 'light', 'Quiet in here');
}

const USAGE = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
const LINES = [
  { thought: 'The first that fits.', action: 'click(7)' },
  { status: 'needs_user_input' as const, userQuestion: 'The lamp comes in black and in brass. Which one?' },
];
await using house = await openHouse({
  brain: () => ({
    name: 'scripted',
    step: async ({ now: began }) => ({
      memory: { spent: { ...USAGE, steps: 1, began } },
      answer: LINES.shift() ?? { thought: 'Done.', action: 'finish()' },
      usage: USAGE,
    }),
  }),
});
await furnish(house);
lendTab(house);
await page.goto(await house.pairLink('owner', 'Desk'));
await picture('list', 'phone', 'light', 'Nightly refactor');
await picture('list', 'phone', 'dark', 'Nightly refactor');
await page.goto(`${house.url}/s/s_codex`);
await page.locator('[data-armed=true]').first().waitFor();
await page.locator('table').waitFor();
await picture('prompt', 'phone', 'dark', 'Allow once');
await picture('prompt', 'desk', 'light', 'Allow once');
await picture('prompt', 'desk', 'dark', 'Allow once');
await page.goto(`${house.url}/s/s_task`);
await picture('browser-task', 'phone', 'light', 'Arc desk lamp');
await page.goto(`${house.url}/tabs`);
await page.getByRole('button', { name: /Lamp shop/ }).click();
await picture('tabs', 'desk', 'light', 'The cart is where it was');
await page.goto(house.url);
await page.getByText('Nightly refactor').waitFor();
house.goOffline();
await picture('offline', 'phone', 'light', 'No connection to the relay');
house.goOnline();
await page.goto(`${house.url}/tasks`);
await page.getByLabel('What is to be done?').fill('Order the Arc desk lamp, standard delivery.');
await page.getByRole('button', { name: 'Start the task' }).click();
await picture('tasks', 'phone', 'dark', 'black and in brass');
console.log((await readdir(FOLDER)).map((file) => `docs/gallery/${file}`).join('\n'));
