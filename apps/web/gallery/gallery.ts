import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromiumPath, launchChromium } from '@drawbridge/testbed';
import { callTool, postAs } from '../test/mcp-call.ts';
import { fillWithSamples } from '../test/sample-data.ts';
import { smallPng } from '../test/small-png.ts';
import { lendTab } from '../test/test-tab.ts';
import { sessionOf } from '../test/visit.ts';
import { openWebHarness } from '../test/web-harness.ts';

/**
 * `node apps/web/gallery/gallery.ts [NAME…]` takes the screenshots in docs/gallery, of a relay with activity: all of
 * them, or those with one of the names.
 */
const WANTED = process.argv.slice(2);
const isWanted = (name: string): boolean => WANTED.length === 0 || WANTED.includes(name);
const FOLDER = join(import.meta.dirname, '../../../docs/gallery');
const MAX_BYTES = 80_000;
const SIZES = { phone: { width: 390, height: 780 }, desk: { width: 1240, height: 720 } } as const;
type Size = keyof typeof SIZES;

await using browser = await launchChromium({ args: ['--disable-lcd-text'] });
const { context } = browser;
context.setDefaultTimeout(120_000);
const page = context.pages()[0] ?? (await context.newPage());
const devtools = await context.newCDPSession(page);
await mkdir(FOLDER, { recursive: true });
for (const file of await readdir(FOLDER))
  if (WANTED.length === 0 && file.endsWith('.png')) await rm(join(FOLDER, file));

async function picture(
  name: string,
  size: Size,
  colorScheme: 'light' | 'dark',
  shows: string,
): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  // A phone draws no scrollbars.
  await devtools.send('Emulation.setScrollbarsHidden', { hidden: size === 'phone' });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const shown = page.getByText(shows).and(page.locator(':visible')).first();
  await shown.waitFor();
  // The notice of a lost connection goes away for a moment at each try.
  await shown.scrollIntoViewIfNeeded().catch(() => {});
  if (!isWanted(name)) return;
  // The view of a tab is drawn again at another size.
  await page.getByText('Waiting for a picture…').waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  let shot = await page.screenshot();
  while (!(await shown.isVisible())) {
    await shown.waitFor();
    shot = await page.screenshot();
  }
  const bytes = smallPng(shot);
  const file = `${name}-${size}-${colorScheme}.png`;
  if (bytes.length > MAX_BYTES) throw new Error(`${file} has ${bytes.length} bytes, more than ${MAX_BYTES}.`);
  await writeFile(join(FOLDER, file), bytes);
}

/** One state of the app on a phone and a desktop, in light and dark. */
async function everywhere(name: string, shows: string): Promise<void> {
  for (const size of ['phone', 'desk'] as const)
    for (const scheme of ['light', 'dark'] as const) await picture(name, size, scheme, shows);
}

/** Plays the real demo up to its first decision: an agent wants to pay in a lent browser. */
async function decision(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gallery-'));
  const program = join(import.meta.dirname, '../../cli/bin/drawbridge.mjs');
  const demo = spawn(process.execPath, [program, 'demo', '--fast'], {
    env: { ...process.env, CHROME_PATH: chromiumPath(), TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface({ input: demo.stdout })) {
      const [link] = /http:\S+#pair=\S+/.exec(line) ?? [];
      if (link !== undefined) await page.goto(link);
      if (line.includes('Decide in the web app')) break;
    }
    const needs = page.getByRole('region', { name: 'Needs you' });
    await needs.getByRole('link').first().click();
    await page.locator('[data-armed=true]').first().waitFor();
    await page.getByTestId('framed').waitFor();
    // A person who watches the tab sees its picture beside the conversation.
    await page.setViewportSize(SIZES.desk);
    await page.getByRole('img', { name: /, as it looks now$/ }).waitFor();
    await everywhere('decision', 'Press “Pay');
    await page.getByRole('button', { name: 'Deny with a reason…' }).click();
    await page.getByLabel('Why not?').fill('Not with this card. Order on invoice.');
    await everywhere('deny', 'Why not? The agent reads this.');
  } finally {
    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

if (isWanted('decision') || isWanted('deny')) await decision();
{
  await using empty = await openWebHarness();
  await page.goto(await empty.pairLink('owner', 'Desk'));
  await everywhere('empty', 'No sessions yet');
  await page.getByRole('button', { name: 'Start an agent' }).and(page.locator(':visible')).first().click();
  await everywhere('launch-nothing', 'No machine is connected.');
}

const AGENTS = [
  { agent_type: 'claude', display_name: 'Claude Code', version: '2.1.0', sign_in: 'done' },
  { agent_type: 'codex', display_name: 'Codex', version: '0.60.1', sign_in: 'done' },
  { agent_type: 'gemini', display_name: 'Gemini CLI', sign_in: 'needed', hint: 'gemini' },
];
const WORKSPACES = [
  { path: '/home/ada/web-shop', branch: 'release-1.4' },
  { path: '/home/ada/payments-api', branch: 'main' },
];
const USAGE = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
const LINES = [
  { thought: 'The first that fits.', action: 'click(7)' },
  { status: 'needs_user_input' as const, userQuestion: 'The lamp comes in black and in brass. Which one?' },
];
await using harness = await openWebHarness({
  brain: () => ({
    name: 'scripted',
    step: async ({ now: began }) => ({
      memory: { spent: { ...USAGE, steps: 1, began } },
      answer: LINES.shift() ?? { thought: 'Done.', action: 'finish()' },
      usage: USAGE,
    }),
  }),
});
const { proxy } = await fillWithSamples(harness);
lendTab(harness);
await page.goto(await harness.pairLink('owner', 'Desk'));
await everywhere('list', 'Nightly refactor');
await page.getByRole('searchbox').fill('test');
await everywhere('search', 'In messages');
await page.getByRole('searchbox').fill('');
// Each size has its own button and dialog.
for (const size of ['phone', 'desk'] as const) {
  await page.setViewportSize(SIZES[size]);
  await page.getByRole('button', { name: 'Stop everything' }).and(page.locator(':visible')).first().click();
  for (const scheme of ['light', 'dark'] as const) await picture('stop', size, scheme, 'Stop everything?');
  await page.keyboard.press('Escape');
}
await page.keyboard.press('Control+k');
await page.getByRole('dialog').getByRole('option').first().waitFor();
// A phone has no keyboard for it.
for (const scheme of ['light', 'dark'] as const) await picture('palette', 'desk', scheme, 'Nightly refactor');
await page.keyboard.press('Escape');
proxy.send({ type: 'proxy_offer', agents: AGENTS, workspaces: WORKSPACES });
await page.getByRole('button', { name: 'Start an agent' }).and(page.locator(':visible')).first().click();
await everywhere('launch', 'Claude Code');
await page.keyboard.press('Escape');
await page.keyboard.press('?');
await everywhere('help', 'Ctrl K, ⌘ K');
await page.keyboard.press('Escape');
proxy.send({ type: 'session_closed', session_id: 's_docs', reason: 'agent_ended' });
await page.locator('a[href="/s/s_docs"]').waitFor({ state: 'detached' });
await page.getByRole('button', { name: 'Show closed sessions' }).click();
await everywhere('closed', 'Docs clean-up');
await page.goto(`${harness.url}/s/s_codex`);
await page.locator('[data-armed=true]').first().waitFor();
await page.locator('table').waitFor();
await everywhere('prompt', 'Allow once');
await page.goto(`${harness.url}/s/s_task`);
await picture('browser-task', 'phone', 'light', 'Arc desk lamp');
await page.goto(`${harness.url}/tabs`);
await page.getByRole('button', { name: /Lamp shop/ }).click();
// On a busy machine a check may take longer than it is given.
const matches = page.getByText('The page matches its map');
while (!(await matches.isVisible())) {
  await page.getByRole('button', { name: 'Check now' }).click();
  await matches.waitFor({ timeout: 15_000 }).catch(() => {});
}
await picture('tabs', 'desk', 'light', 'The page matches its map');
await picture('tabs', 'phone', 'dark', 'The page matches its map');
await page.goto(`${harness.url}/settings`);
await picture('settings', 'phone', 'light', 'Notifications');
await picture('settings', 'desk', 'light', 'Notifications');
// As `up --host` does, so that a phone can open the link.
await harness.relay.devices.listening(harness.relay.url, { outside_url: 'https://192.168.1.7:7717' });
for (const [label, role] of [
  ['Ada’s phone', 'person'],
  ['Chrome on Linux', 'runtime'],
  ['my-buyer', 'agent'],
] as const)
  await harness.relay.devices.mint({ roles: [role], label, by: 'machine' });
await page.goto(`${harness.url}/devices`);
await everywhere('devices', 'Ada’s phone');
await page.getByLabel('What it may do').selectOption({ label: 'Guest: steers one session' });
await page.getByLabel('Name (optional)').fill('Grace');
await everywhere('guest', 'Pair a device');
await page.goto(`${harness.url}/devices`);
await page.getByRole('button', { name: 'Make a link' }).click();
await page.getByRole('region', { name: 'Confirm that it is you' }).waitFor();
await picture('confirm', 'phone', 'light', 'Confirm that it is you');
await harness.confirm();
await picture('pairing', 'phone', 'dark', 'Works until');
await picture('pairing', 'desk', 'light', 'Works until');

// A coding agent with the lent browser, a step in it, and a person who takes over.
{
  const shop = await context.newPage();
  await shop.setViewportSize({ width: 960, height: 600 });
  await shop.setContent(`<style>body { margin: 0; font: 20px system-ui; color: #292524 }
    header { padding: 18px 32px; background: #134e4a; color: #fff } main { display: flex; gap: 40px; padding: 32px }
    i { width: 300px; height: 380px; background: linear-gradient(#fde68a, #f59e0b) } b { font-size: 34px; display: block }
    button { font: inherit; margin-top: 24px; padding: 12px 24px; background: #134e4a; color: #fff; border: 0 }</style>
    <header>Lantern & Oak</header><main><i></i><div><b>Arc desk lamp</b><p>59.00 €, in stock</p><button>Add to cart</button></div></main>`);
  const image = (await shop.screenshot({ type: 'jpeg', quality: 60 })).toString('base64');
  await shop.close();
  const tab = lendTab(harness, 'tab_shop', undefined, {
    image,
    mime_type: 'image/jpeg',
    width: 960,
    height: 600,
  });
  const session_id = 's_thread';
  const helper = await harness.proxy('studio');
  const talk = (message_id: string, role: string, content: string, details?: object): void =>
    helper.send({
      ...{ type: 'proxy_message', session_id },
      message: {
        ...{ message_id, role, content, created_at: new Date().toISOString() },
        ...(details && { metadata: { details } }),
      },
    });
  helper.list(
    sessionOf(session_id, { display_name: 'Claude Code', agent_type: 'claude', machine_label: 'studio' }),
  );
  await page.goto(`${harness.url}/s/${session_id}`);
  await page.getByRole('heading', { name: 'Claude Code' }).waitFor();
  talk(
    'w1',
    'user',
    'The invoice shows the wrong total. Fix it, then buy the lamp again to see that it is right.',
  );
  talk('w2', 'assistant', 'The total adds the tax twice. I fix that, and then check it in your browser.');
  const diffs = [
    {
      path: 'src/invoice.ts',
      old_text: 'const total = net + tax + vat(net);\n',
      new_text: 'const total = net + tax;\n',
    },
  ];
  const edit = { kind: 'tool_call', tool_call_id: 'e1', title: 'Edit src/invoice.ts', tool_kind: 'edit' };
  talk('w3', 'assistant', 'Edit src/invoice.ts', { ...edit, status: 'completed', diffs });
  const owner = await harness.relay.devices.mint({ roles: ['owner'], label: 'Ada’s phone', by: 'machine' });
  const at = `${harness.relay.url}/api/sessions/${session_id}/browser`;
  const as = (method: string, path = '') =>
    fetch(at + path, {
      method,
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      ...(method === 'PUT' && { body: '{}' }),
    });
  await as('PUT');
  const { token } = await (await postAs(helper.token, at, {})).json();
  const act = (kind: string, id: string) =>
    callTool(harness.relay.url, token, 'act', { tab: 'tab_shop', steps: [{ do: kind, id }] });
  await (await callTool(harness.relay.url, token, 'snapshot', { tab: 'tab_shop' })).text();
  await (await act('click', '7')).text();
  helper.send({
    ...{ type: 'proxy_status', session_id, status: 'healthy' },
    activity: { kind: 'running_command', label: 'Checks the cart' },
  });
  talk('w4', 'assistant', 'The lamp is in the cart. Next I open the invoice.');
  await page.locator('button:has-text("Pressed") img').waitFor();
  await everywhere('thread', 'Next I open the invoice.');
  await as('POST', '/takeover');
  const waiting = act('click', '7');
  await page.getByText('Waits until you give the browser back').first().waitFor();
  await picture('takeover', 'desk', 'dark', 'Waits for Ada');
  await page.setViewportSize(SIZES.phone);
  await page.getByRole('img', { name: 'Desk lamps, as it looks now' }).waitFor();
  await picture('takeover', 'phone', 'light', 'Waits for Ada');
  await as('POST', '/handback');
  await waiting;
  await as('DELETE');
  await page.getByRole('button', { name: 'Lend the browser' }).click();
  await page.getByRole('radio', { name: 'Only tabs of these sites' }).check();
  await everywhere('lend', 'Only tabs of these sites');
  await page.keyboard.press('Escape');
  helper.link.close();
  tab.close();
}

await page.goto(`${harness.url}/tasks`);
await page.getByLabel('Describe the task').fill('Order the Arc desk lamp, standard delivery.');
await page.getByRole('button', { name: 'Start the task' }).click();
await picture('tasks', 'phone', 'dark', 'black and in brass');
await picture('tasks', 'desk', 'light', 'black and in brass');
await page.goto(`${harness.url}/audit`);
await picture('audit', 'desk', 'dark', 'gave the task');
// The filters are open where there is room.
await page.reload();
await picture('audit', 'phone', 'light', 'gave the task');

// Failures: delivery unknown, a failed launch, a failed stop.
await page.goto(`${harness.url}/s/s_claude`);
await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Also run it at midnight, please.');
await page.getByRole('button', { name: 'Send', exact: true }).click();
const { client_message_id, attempt = 1 } = await proxy.next('send_message');
proxy.send({
  ...{ type: 'proxy_send_result', session_id: 's_claude', client_message_id, attempt, result: 'failed' },
  error: { code: 'agent_not_ready', message: 'The agent\u2019s window is busy with a dialog.' },
});
await page.getByRole('button', { name: 'Stop', exact: true }).click();
const { request_id } = await proxy.next('agent_interrupt');
proxy.send({
  ...{ type: 'agent_control_result', session_id: 's_claude', request_id, command: 'agent_interrupt' },
  ...{ result: 'failed', error: { code: 'control_failed', message: 'It did not answer within 10 s.' } },
});
await everywhere('error', 'Not stopped');

harness.goOffline();
await page.getByRole('textbox', { name: 'Message', exact: true }).fill('And tell me what you found.');
await page.getByRole('button', { name: 'Send', exact: true }).click();
await everywhere('offline', 'No connection to the relay');
await page.reload();
await page.goto(harness.url).catch(() => {});
await picture('offline-list', 'phone', 'light', 'Last updated');
console.log((await readdir(FOLDER)).map((file) => `docs/gallery/${file}`).join('\n'));
