import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readOwnerFile } from '@drawbridge/relay';
import { chromiumPath, launchChromium } from '@drawbridge/testbed';
import { smallPng } from '@drawbridge/web/test/small-png';
import { joinBridge } from 'drawbridge/joined-bridge';

/**
 * `node scripts/demo-picture.ts` plays the demo up to the payment, takes the picture for the README and
 * allows it.
 */
const FILE = join(import.meta.dirname, '../docs/demo/demo.png');
const MAX_BYTES = 200_000;
const PROGRAM = join(import.meta.dirname, '../apps/cli/bin/drawbridge.mjs');

await using ending = new AsyncDisposableStack();
const temporary = await mkdtemp(join(tmpdir(), 'demo-picture-'));
ending.defer(() => rm(temporary, { recursive: true, force: true, maxRetries: 10 }));
const demo = spawn(process.execPath, [PROGRAM, 'demo', '--fast'], {
  env: { ...process.env, CHROME_PATH: chromiumPath(), TMPDIR: temporary },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(demo, 'exit');
ending.defer(async () => {
  demo.kill('SIGINT');
  await exited;
});
const chromium = await launchChromium({ args: ['--disable-lcd-text', '--force-device-scale-factor=2'] });
ending.use(chromium);
const { context } = chromium;

const said: string[] = [];
const lines = createInterface({ input: demo.stdout })[Symbol.asyncIterator]();

/** Waits for an output line that matches and returns the match. */
async function heard(pattern: RegExp): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`The demo ended before it said ${pattern}.`);
    said.push(value);
    const found = pattern.exec(value)?.[0];
    if (found !== undefined) return found;
  }
}

const link = await heard(/http:\S+#pair=\S+/);
const firstPage = context.pages()[0] ?? (await context.newPage());
await firstPage.setViewportSize({ width: 800, height: 400 });
await firstPage.goto(link);
await firstPage.getByText('Live', { exact: true }).waitFor();
const phone = await context.newPage();
await phone.setViewportSize({ width: 330, height: 747 });

await heard(/Decide in the web app/);
const { origin } = new URL(link);
const pictures = {
  desk: await prompted(firstPage),
  phone: await prompted(phone),
  shop: await pictureOfTab(),
};
const words = said
  .slice(said.findIndex((line) => line.includes(link)) - 1)
  .join('\n')
  .replace(link, `${origin}/#pair=…`);
await firstPage.getByRole('button', { name: 'Allow once' }).click();
const order = await heard(/LO-\d+/);

const sheet = await context.newPage();
await sheet.setViewportSize({ width: 1180, height: 748 });
await sheet.setContent(`<style>
  body { margin: 0; background: #e7e5e0; font: 500 14px system-ui, sans-serif; color: #57534e; }
  figure { position: absolute; margin: 0; }
  figcaption { padding: 0 2px 8px; }
  img, pre { display: block; width: 100%; box-sizing: border-box; border-radius: 10px; box-shadow: 0 6px 24px #0002; }
  img.phone { border: 7px solid #1c1917; border-radius: 30px; }
  pre { margin: 0; overflow: hidden; padding: 14px; background: #1c1917; color: #e7e5e4;
    font: 10px/1.6 monospace; display: flex; flex-direction: column; justify-content: end; }
</style>
<figure style="left:24px;top:20px;width:800px"><figcaption>What cannot be undone is asked of you: at the desk …</figcaption>
  <img src="${pictures.desk}"></figure>
<figure style="left:848px;top:20px;width:308px"><figcaption>… or on the phone</figcaption>
  <img class="phone" src="${pictures.phone}"></figure>
<figure style="left:24px;top:464px;width:391px"><figcaption>The agent’s tab, its secrets covered</figcaption>
  <img src="${pictures.shop}" style="height:236px;object-fit:cover;object-position:top"></figure>
<figure style="left:433px;top:464px;width:391px"><figcaption>drawbridge demo</figcaption>
  <pre style="height:236px"></pre></figure>`);
await sheet.locator('pre').evaluate((terminal, text) => terminal.append(text), words.trim());
const bytes = smallPng(await sheet.screenshot({ scale: 'css' }));
if (bytes.length > MAX_BYTES)
  throw new Error(`The picture has ${bytes.length} bytes, more than ${MAX_BYTES}.`);
await writeFile(FILE, bytes);
console.log(`docs/demo/demo.png, ${bytes.length} bytes; the order was ${order}.`);

async function prompted(page: typeof firstPage): Promise<string> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${origin}/s/browser_relay_browser`);
  await page.locator('[data-armed=true]').first().waitFor();
  return asUrl(await page.screenshot());
}

/** Screenshot from the agent's runtime, with the typed card data covered. */
async function pictureOfTab(): Promise<string> {
  const folder = (await readdir(temporary)).find((name) => name.startsWith('drawbridge-demo-'));
  const { token = '', url = '' } = (await readOwnerFile(join(temporary, folder ?? ''))) ?? {};
  const bridge = await joinBridge({ url, token, pid: process.pid }, () => Promise.resolve(true));
  if (bridge === undefined) throw new Error('The relay did not let us in.');
  const picture = { format: 'png', max_width: 1_400 };
  const shown: unknown = await bridge.call({ name: 'browser.screenshot', arguments: picture }).output;
  bridge.close();
  return asUrl(Buffer.from(parseImage(shown), 'base64'));
}

function parseImage(output: unknown): string {
  return (output as { readonly image: string }).image;
}

function asUrl(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
