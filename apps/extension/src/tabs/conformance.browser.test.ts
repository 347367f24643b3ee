import { HAND_FIELDS } from '@drawbridge/runtime/test/primitives/hand-fields';
import { describeHandMatrix } from '@drawbridge/runtime/test/primitives/hand-matrix.contract';
import { describeHands } from '@drawbridge/runtime/test/primitives/hands.contract';
import {
  heldToSchema,
  idOf,
  openTabs,
  type PrimitiveHarness,
  type Tab,
} from '@drawbridge/runtime/test/primitives/primitive-harness';
import { describePrimitives } from '@drawbridge/runtime/test/primitives/primitives.contract';
import { isDeep, type OpenPage } from '@drawbridge/testbed';
import { afterAll, expect, test } from 'vitest';
import { type ExtensionHarness, startExtensionHarness } from '../../test/extension-harness.ts';
import { type BridgeHarness, startBridgeHarness } from '../../test/tabs/bridge-harness.ts';

let harness: ExtensionHarness;
let bridgeHarness: BridgeHarness;
let tabId = 0;

const yes = {
  ask: async ({ call_hash }: { call_hash: string }) => ({
    decision: 'once' as const,
    call_hash,
    by: 'the test',
  }),
};

async function open(): Promise<OpenPage> {
  [harness, bridgeHarness] = await Promise.all([
    startExtensionHarness({ args: ['--enable-features=WebMCP'] }),
    startBridgeHarness(yes),
  ]);
  await bridgeHarness.pair(harness);
  const { context } = harness;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  await page.setViewportSize({ width: 900, height: 700 });
  const close = async () => {};
  return { page, context, close, [Symbol.asyncDispose]: close };
}

const { show } = openTabs(open);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await bridgeHarness?.[Symbol.asyncDispose]();
});

const run = (name: string, args: unknown): Promise<unknown> =>
  bridgeHarness.bridge.call({ name, arguments: args as Record<string, unknown> }).output;

/** A tab lent with DOM events, or with the debugger's input. */
async function lent(tab: Tab, trusted: boolean): Promise<PrimitiveHarness> {
  if (tabId === 0) tabId = await harness.tabIdOf(tab);
  await harness.ask({ do: 'lend', tabId, trusted });
  const mark = await tab.evaluate(() => performance.timeOrigin);
  // The shown document is the announced one.
  await expect
    .poll(async () => [
      bridgeHarness.bridge.runtimes().length,
      await run('page.info', {}).catch(() => undefined),
    ])
    .toEqual([1, expect.objectContaining({ url: tab.url() })]);
  expect(await tab.evaluate(() => performance.timeOrigin)).toBe(mark);
  return heldToSchema(tab, run);
}

describePrimitives({
  ...{ host: 'extension', fidelity: 'synthetic', show, bridged: true },
  start: (tab) => lent(tab, false),
});

describeHandMatrix(
  { ...{ host: 'extension', fidelity: 'trusted', show }, start: (tab) => lent(tab, true) },
  1,
);

// In npm test the CDP host and the table of steps above show the same.
if (isDeep) {
  describePrimitives({
    ...{ host: 'extension', fidelity: 'trusted', show, bridged: true },
    start: (tab) => lent(tab, true),
  });
  describeHands({ ...{ host: 'extension', fidelity: 'trusted', show }, start: (tab) => lent(tab, true) });
  describeHandMatrix(
    { ...{ host: 'extension', fidelity: 'synthetic', show }, start: (tab) => lent(tab, false) },
    2,
  );
  describeHands({ ...{ host: 'extension', fidelity: 'synthetic', show }, start: (tab) => lent(tab, false) });
}

test('[BRG-97] reports missing abilities with their reason', async () => {
  const world = await lent(await show(), false);
  await expect(world.runAny('storage.read_file', { path: 'a' })).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { capability: 'storage', host: 'extension' },
  });
  await expect(world.runAny('keyboard.press', { key: 'a', trusted: true })).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { capability: 'trusted_input', host: 'extension' },
  });
  await expect(world.runAny('browser.dismiss_dialog', {})).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { host: 'extension' },
  });
});

test.each([false, true])(
  '[BRG-209] sets a slider, a date and a colour as a hand does (trusted: %s)',
  async (trusted) => {
    const world = await lent(await show(HAND_FIELDS), trusted);
    const fill = async (name: string, text: string) =>
      world.run('element.fill', { id: await idOf(world, name), text });
    expect((await fill('Mouse', '45')).by).toBe('dragging');
    await expect.poll(() => world.tab.locator('#o1').textContent()).toBe('mouse set to 45');
    expect((await fill('Day', '2026-01-31')).reads ?? '2026-01-31').toBe('2026-01-31');
    expect(await world.tab.locator('#day').inputValue()).toBe('2026-01-31');
    // Without the debugger the page gets keys that are made by script, and no trusted input.
    expect(await world.tab.locator('#day').getAttribute('title')).toBe('heard');
    const heard = trusted ? 'day set to 2026-01-31' : '';
    await expect.poll(() => world.tab.locator('#o2').textContent()).toBe(heard);
    await fill('Paint', '#63584d');
    expect(await world.tab.locator('#paint').inputValue()).toBe('#63584d');
    const painted = trusted ? 'paint set to #63584d' : '';
    await expect.poll(() => world.tab.locator('#o3').textContent()).toBe(painted);
  },
);

test('[BRG-156] [BRG-193] [CHT-335] calls a tool of the page, and uploads a file that came in parts', async () => {
  const world = await lent(
    await show(`<input type=file aria-label=File><a href="/plan.pdf" download>Plan</a>
      <script>
        document.modelContext.registerTool({
          name: 'add-item',
          description: 'Adds an item',
          inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
          execute: async ({ amount }) => ({ basket: amount }),
        });
      </script>`),
    false,
  );
  const added = () => world.runAny('webmcp.add-item', { amount: 2 }).catch(({ code }) => code);
  await expect.poll(added).toEqual({ basket: 2 });
  await expect(world.runAny('webmcp.add-item', { amount: 'two' })).rejects.toMatchObject({
    code: 'invalid_input',
  });

  const file = { attachment_id: 'file_1', name: 'note.txt', type: 'text/plain' };
  await world.run('browser.files.put', { ...file, part: 0, base64: btoa('Hello ') });
  await world.run('browser.files.put', { ...file, part: 1, base64: btoa('there') });
  await world.run('element.upload', { id: await idOf(world, 'File'), files: [{ attachment_id: 'file_1' }] });
  const chosen = await world.tab.locator('input').evaluate(async (input) => {
    const [given] = (input as HTMLInputElement).files ?? [];
    return [given?.name, await given?.text()];
  });
  expect(chosen).toEqual(['note.txt', 'Hello there']);

  // The extension cannot read what Chrome saves, and says so.
  const saved = await world.run('element.click', { id: await idOf(world, 'Plan') });
  expect(saved.effect.download).toContain('/plan.pdf');
  expect(saved.not_saved).toContain('this host cannot read it');
  await expect(world.runAny('browser.files.list', {})).rejects.toMatchObject({
    code: 'capability_unavailable',
  });
});

test('with the debugger allowed, sees and answers a dialog', async () => {
  const world = await lent(
    await show(`<button onclick="this.textContent = prompt('Your name?')">Ask</button>`),
    true,
  );
  // Playwright would close it.
  world.tab.on('dialog', () => {});
  await world.runAny('element.click', { id: await idOf(world, 'Ask') }).catch(() => undefined);
  await expect(world.runAny('page.info', {})).rejects.toMatchObject({ evidence: { reason: 'dialog_open' } });
  expect(await world.runAny('browser.dismiss_dialog', { accept: true, prompt_text: 'Ada' })).toMatchObject({
    dialog: 'prompt',
    message: 'Your name?',
  });
  await expect.poll(() => world.tab.locator('button').textContent()).toBe('Ada');
});
