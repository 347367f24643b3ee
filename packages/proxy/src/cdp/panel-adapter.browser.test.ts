import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import type { CdpBrowser } from '@drawbridge/runtime/cdp';
import { PANELS, type PanelName, sampled } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { codeOf, testAdapter, watch } from '../../test/adapter.contract.ts';
import { mapOf, setUpPanels } from '../../test/cdp/panel-harness.ts';
import type { AgentTarget } from '../adapter.ts';
import { attachPanels, type PanelAdapterOptions } from './panel-adapter.ts';

const { open, adapter, log, running } = setUpPanels();

/** One open panel, discovered for the first time. */
async function found(panel: PanelName, id: string, options: Partial<PanelAdapterOptions> = {}) {
  const page = await open(panel, { id });
  const panels = await adapter(panel, options);
  onTestFinished(async () => {
    await panels.close();
    await page.close();
  });
  const [target] = await panels.discover([]);
  if (target === undefined) throw new Error('It was not found.');
  return { page, panels, frame: page.frameLocator('#active-frame'), watched: watch(target) };
}

const send = (target: AgentTarget, text: string) => codeOf(target.inject({ text, attachments: [] }));

for (const panel of sampled(PANELS, 3)) {
  testAdapter(`a panel of ${panel}`, async () => {
    const page = await open(panel);
    const [first, second, third] = await Promise.all([adapter(panel), adapter(panel), adapter(panel)]);
    let current = first;
    return {
      adapter: { ...first, launch: (order) => current.launch(order) },
      // Simulates a restart: the previous adapter has released the page.
      restarted: () => {
        current = third;
        const discover: typeof second.discover = async (known) => {
          await first.close();
          return second.discover(known);
        };
        return { ...second, discover };
      },
      workspace: '/work/garden',
      taken: () => log(panel).flatMap(({ kind, text }) => (kind === 'sent' ? [text] : [])),
      ...(panel === 'gemini' && { slowIs: 'generating' as const }),
      close: async () => {
        await Promise.all([first.close(), second.close(), third.close()]);
        await page.close();
      },
    };
  });
}

test('reports messages written at the machine, and leaves a draft alone', async () => {
  const { frame, watched } = await found('claude', 'shared');
  const input = frame.getByRole('textbox', { name: 'Message input' });
  await input.fill('say mine; think hm; diff');
  await frame.getByRole('button', { name: 'Send message' }).click();
  await watched.until(() => watched.messages().length === 4);
  expect(watched.messages().map(({ role, content, details }) => [role, content, details?.kind])).toEqual([
    ['user', 'say mine; think hm; diff', undefined],
    ['assistant', 'mine', undefined],
    ['assistant', 'hm', 'thought'],
    ['assistant', 'Edit notes.txt\nold → new', 'tool_call'],
  ]);
  await watched.idle();
  await input.fill('half a thou');
  expect(await send(watched.target, 'say other')).toBe('send_injection_failed');
  expect(await input.textContent()).toBe('half a thou');
  await input.fill('');
  expect(await send(watched.target, 'say other')).toBe('ok');
});

test('[CHT-231] two dialogs with the same words are two prompts', async () => {
  const { watched } = await found('claude', 'twice', { driftMs: 0 });
  const { target } = watched;
  await watched.until(() => target.describe().status === 'healthy');
  await send(target, 'ask permission; ask permission');
  const prompts = () => watched.seen.flatMap((each) => (each.kind === 'prompt' ? [each.prompt] : []));
  for (const count of [1, 2]) {
    await watched.until(() => prompts().length === count);
    // An input hidden by a dialog is no drift.
    expect(target.describe().status).toBe('healthy');
    await target.answer(prompts().at(-1)?.prompt_id ?? '', 'yes');
  }
  await watched.idle();
  expect(new Set(prompts().map(({ prompt_id }) => prompt_id)).size).toBe(2);
  expect(watched.seen.filter(({ kind }) => kind === 'prompt_gone')).toEqual([]);
});

test('withdraws a prompt that was answered at the machine', async () => {
  const { page, watched } = await found('claude', 'keys');
  await send(watched.target, 'ask permission');
  await watched.until(() => watched.seen.some(({ kind }) => kind === 'prompt'));
  await page.frameLocator('#active-frame').getByText('Allow this bash command?').click();
  await page.keyboard.press('3');
  await watched.until(() => watched.seen.some(({ kind }) => kind === 'prompt_gone'));
  await watched.until(() => watched.messages().some(({ content }) => content === 'left alone'));
});

test('[MAN-110] [CHT-115] a map that is repaired works again without a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'panel-map-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const map = join(folder, 'actions.json');
  const right = await readFile(mapOf('gemini'), 'utf8');
  await writeFile(map, right.replaceAll('.chat-submit-input', '.chat-entry'));
  // Waits for the panel end at once, also between its reading and its checks.
  const after: typeof systemClock.after = (ms, work) => systemClock.after(ms < 1_000 ? 0 : ms, work);
  const { watched, panels } = await found('gemini', 'repaired', { map, driftMs: 300, after });
  const { target } = watched;
  expect(target.describe().status).toBe('agent_ui_changed');
  await watched.until(() => watched.messages().some(({ content }) => content.includes('composer_there')));
  expect(await panels.diagnose()).toContainEqual(
    expect.objectContaining({ ok: false, what: expect.stringContaining('.chat-entry') }),
  );
  expect(await send(target, 'say no')).toBe('selector_failure');
  await writeFile(map, right.slice(0, -200));
  await watched.until(() => watched.messages().some(({ content }) => content.includes('its map: map. Line')));
  await cp(mapOf('gemini'), map);
  await watched.until(() => target.describe().status === 'healthy');
  expect(await send(target, 'say yes')).toBe('ok');
});

test('[CHT-124] continues after a reload; reports a closed page as gone after a grace period', async () => {
  const { page, watched } = await found('codex', 'reloaded', { graceMs: 50 });
  const { target } = watched;
  await page.reload();
  await watched.until(() => target.describe().status === 'healthy');
  expect(await send(target, 'say still here')).toBe('ok');
  await watched.until(() => watched.messages().some(({ content }) => content === 'still here'));
  await page.close();
  await watched.until(() => watched.seen.some(({ kind }) => kind === 'gone'));
  expect(await send(target, 'say late')).toBe('send_injection_failed');
});

test('[CHT-124] reconnects after a lost connection and continues the conversation', async () => {
  const connections: CdpBrowser[] = [];
  const attach = async (endpoint: string) => {
    const browser = await attachPanels(endpoint);
    connections.push(browser);
    return browser;
  };
  const { panels, watched } = await found('claude', 'lost', { attach });
  const { target } = watched;
  await send(target, 'say before');
  await watched.until(() => watched.messages().some(({ content }) => content === 'before'));
  panels.onChange(() => void panels.discover([]));
  await connections[0]?.close();
  await watched.until(() => connections.length === 2 && target.describe().status === 'healthy');
  expect(await send(target, 'say after')).toBe('ok');
  await watched.until(() => watched.messages().some(({ content }) => content === 'after'));
  expect(watched.messages().map(({ content }) => content)).toEqual(['before', 'after']);
});

test.each(['claude', 'codex'] as const)(
  '[CHT-285] a mode that %s does not accept is not reported as chosen, and its other buttons are untouched',
  async (panel) => {
    const id = `${panel} modes`;
    const { frame, watched } = await found(panel, id);
    const { target } = watched;
    await frame.locator('body').evaluate((body) => {
      const isOption = (event: Event) =>
        event.target instanceof Element && event.target.matches('[role=option], [role=menuitem]');
      body.addEventListener('click', (event) => isOption(event) && event.stopPropagation(), true);
    });
    expect(await codeOf(target.configure({ mode: 'plan' }))).toBe('selector_failure');
    expect(await target.configuration()).toMatchObject({ permission_mode: 'ask', mode_id: 'ask' });
    expect(log(id)).toEqual([]);
  },
);

test('does not scroll the panel of a reader', async () => {
  const { frame, watched } = await found('gemini', 'read');
  const history = frame.locator('chat-history');
  await history.evaluate((element) => {
    const tall = document.createElement('div');
    tall.style.height = '3000px';
    element.prepend(tall);
    element.scrollTo({ top: 40 });
  });
  expect(await send(watched.target, 'say more')).toBe('ok');
  await watched.until(() => watched.messages().some(({ content }) => content === 'more'));
  expect(await history.evaluate((element) => element.scrollTop)).toBe(40);
});

test('skips a dead port, and the doctor names it', async () => {
  const dead = 'http://127.0.0.1:1';
  const { panels, watched } = await found('claude', 'ports', { endpoints: [dead, running().endpoint] });
  expect(watched.target.describe().status).toBe('healthy');
  expect(await panels.diagnose()).toEqual([
    {
      ok: false,
      what: expect.stringContaining(dead),
      hint: expect.stringContaining('--remote-debugging-port'),
    },
    { ok: true, what: expect.stringContaining('shows 1 of Claude Code') },
  ]);
  const none = await adapter('codex');
  onTestFinished(none.close);
  const order = { workspace: '/work/garden', signal: new AbortController().signal };
  expect(await codeOf(none.launch(order))).toBe('agent_not_open');
});

test.each(sampled(PANELS, 2))(
  'finds and drives a webview of %s in an editor window without disturbing the person there',
  async (panel) => {
    const page = await running().chromium.context.newPage();
    await page.goto(running().twins.workbench(panel, { id: 'webview' }));
    const panels = await adapter(panel);
    onTestFinished(async () => {
      await panels.close();
      await page.close();
    });
    const [target, ...others] = await panels.discover([]);
    if (target === undefined) throw new Error('It was not found.');
    expect(others).toEqual([]);
    expect(target.signature).toBe(`cdp:${panel}:webview`);
    const editor = page.locator('#editor');
    await editor.press('End');
    const disturbances = await editor.evaluateHandle((element) => {
      const seen: string[] = [];
      element.addEventListener('blur', () => seen.push('blur'));
      addEventListener('scroll', () => seen.push('scroll'), true);
      return seen;
    });
    const watched = watch(target);
    expect(await send(target, 'say from a webview')).toBe('ok');
    await watched.until(() => watched.messages().some(({ content }) => content === 'from a webview'));
    await watched.idle();
    if (target.powers.has('permission_dialogs')) {
      await send(target, 'ask permission');
      await watched.until(() => watched.seen.some(({ kind }) => kind === 'prompt'));
      await target.interrupt();
    }
    if (target.powers.has('set_model')) await target.configure({ model: 'large' });
    if (target.powers.has('set_mode')) await target.configure({ mode: 'plan' });
    await page.keyboard.type('!');
    expect(await editor.inputValue()).toBe('const a = 1;!');
    expect(await disturbances.jsonValue()).toEqual([]);
  },
);

test.each(sampled(PANELS, 3))(
  'keeps the focus of a person who types elsewhere in the page of %s',
  async (panel) => {
    const { page, frame, watched } = await found(panel, `${panel} beside`);
    await frame.locator('body').evaluate((body) => {
      const search = document.createElement('input');
      search.id = 'search';
      body.prepend(search);
    });
    const search = frame.locator('#search');
    await search.fill('old words');
    await search.press('ArrowLeft');
    const disturbances = await search.evaluateHandle((element) => {
      const seen: string[] = [];
      element.addEventListener('blur', () => seen.push('blur'));
      return seen;
    });
    expect(await send(watched.target, 'say one\nsay two')).toBe('ok');
    await watched.until(() => watched.messages().some(({ content }) => content.includes('two')));
    await page.keyboard.type('X');
    expect(await search.inputValue()).toBe('old wordXs');
    expect(await disturbances.jsonValue()).toEqual([]);
  },
);
