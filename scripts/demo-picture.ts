import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromiumPath, launchChromium } from '@drawbridge/testbed';
import { smallPng } from '@drawbridge/web/test/small-png';

/** `node scripts/demo-picture.ts` plays the demo, and takes the picture for the README in its third part. */
const FILE = join(import.meta.dirname, '../docs/demo/demo.png');
const MAX_BYTES = 230_000;
const WORDS = 'Order another table lamp on invoice, note it in expenses.md, and run the tests.';
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

const lines = createInterface({ input: demo.stdout })[Symbol.asyncIterator]();

/** Waits for an output line that matches and returns the match. */
async function heard(pattern: RegExp): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`The demo ended before it said ${pattern}.`);
    const found = pattern.exec(value)?.[0];
    if (found !== undefined) return found;
  }
}

const link = await heard(/http:\S+#pair=\S+/);
const desk = context.pages()[0] ?? (await context.newPage());
await desk.setViewportSize({ width: 1280, height: 900 });
await desk.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
await desk.goto(link);
await desk.getByText('Live', { exact: true }).waitFor();

// The payment of the first part.
await heard(/Decide in the web app/);
await openDecision();
await desk.getByRole('button', { name: 'Allow once' }).click();
const order = await heard(/LO-\d+/);

// The third part: written on the phone, asked at the desk, done on the phone.
await heard(/Write to “Web shop”/);
const phone = await context.newPage();
await phone.setViewportSize({ width: 390, height: 830 });
await phone.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
await phone.goto(new URL('/', desk.url()).href);
await phone.getByRole('link', { name: /Web shop/ }).click();
await phone.getByRole('textbox', { name: 'Message', exact: true }).fill(WORDS);
await phone.getByRole('button', { name: 'Send', exact: true }).click();
await heard(/Delivered: /);
await phone
  .getByRole('img', { name: /Delivered|Started/ })
  .last()
  .waitFor();
const asked = asUrl(await phone.screenshot());

await heard(/place the order.*/);
await openDecision();
await desk.getByRole('img', { name: /, as it looks now/ }).waitFor();
const decision = asUrl(await desk.screenshot());
await phone.getByRole('button', { name: 'Allow once' }).click();
await phone.getByText('npm test').and(phone.locator(':visible')).first().waitFor();
await phone.getByText('expenses.md').and(phone.locator(':visible')).first().waitFor();
await phone.getByRole('img', { name: /, as it looks now/ }).waitFor();
const done = asUrl(await phone.screenshot());

const sheet = await context.newPage();
await sheet.setViewportSize({ width: 1260, height: 560 });
await sheet.setContent(`<style>
  body { margin: 0; background: #e7e5e0; font: 500 14px system-ui, sans-serif; color: #57534e; }
  figure { position: absolute; margin: 0; }
  figcaption { padding: 0 2px 8px; }
  img { display: block; width: 100%; box-sizing: border-box; border-radius: 10px; box-shadow: 0 6px 24px #0002; }
  img.phone { border: 6px solid #1c1917; border-radius: 26px; }
</style>
<figure style="left:24px;top:20px;width:232px"><figcaption>A sentence from the phone …</figcaption>
  <img class="phone" src="${asked}"></figure>
<figure style="left:280px;top:20px;width:700px"><figcaption>… the agent orders in your browser and asks you …</figcaption>
  <img src="${decision}"></figure>
<figure style="left:1004px;top:20px;width:232px"><figcaption>… and writes it down and tests</figcaption>
  <img class="phone" src="${done}"></figure>`);
const bytes = smallPng(await sheet.screenshot({ scale: 'css' }));
if (bytes.length > MAX_BYTES)
  throw new Error(`The picture has ${bytes.length} bytes, more than ${MAX_BYTES}.`);
await writeFile(FILE, bytes);
console.log(`docs/demo/demo.png, ${bytes.length} bytes; the first order was ${order}.`);

/** Opens the conversation that waits for a decision. */
async function openDecision(): Promise<void> {
  await desk.getByRole('region', { name: 'Needs you' }).getByRole('link').first().click();
  await desk.locator('[data-armed=true]').first().waitFor();
}

function asUrl(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
