import { askInPage } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AWAY, hostileTexts, RUN } from '../test/payloads.ts';
import { promptOf, sessionOf, type Visitor, visit } from '../test/visit.ts';
import { openWebHarness, type TestProxy, type WebHarness } from '../test/web-harness.ts';

const COUNT = Number(process.env['DRAWBRIDGE_HOSTILE_TEXTS'] ?? 15);
/** Texts per conversation: one page load for all. */
const AT_ONCE = 500;
const TEXTS = hostileTexts(COUNT);
const BATCHES = Array.from({ length: Math.ceil(COUNT / AT_ONCE) }, (_, at) =>
  TEXTS.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
);

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
  await fetch(harness.url);
});
afterAll(() => harness.close());

const details = (value: object): Readonly<Record<string, unknown>> => ({ metadata: { details: value } });
const groupsOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

/** Sessions with hostile labels. */
function named(texts: readonly string[], batch: number) {
  return groupsOf(texts, 7).map(([a, b = a, c = a, d = a, e = a, f = a, g = a], at) =>
    sessionOf(`list_${batch}_${at}`, {
      display_name: a,
      window_title: b,
      workspace_name: c,
      workspace_path: d,
      machine_label: e,
      agent_name: f,
      activity: { kind: 'generating', label: g },
    }),
  );
}

/** Every kind of proxy message, with hostile text in each field. */
function sayAll(proxy: TestProxy, session_id: string, texts: readonly string[]): void {
  const say = (text: string, more: Readonly<Record<string, unknown>>) =>
    proxy.sendMessage(session_id, text, more);
  for (const text of texts) say(text, { attachments: [{ attachment_id: 'none', name: text }] });
  groupsOf(texts, 6).forEach(([a = '', b = a, c = a, d = a, e = a, f = a], at) => {
    const diffs = [{ path: d, old_text: e, new_text: `${e}\n${f}` }];
    const call = { kind: 'tool_call', tool_call_id: 't', status: 'completed', diffs };
    say(a, details({ ...call, title: a, input: b, output: c }));
    if (at % 6 === 0) {
      say(a, { role: 'user' });
      say(a, details({ kind: 'plan', steps: [{ text: b, status: 'active' }] }));
      say(c, details({ kind: 'thought' }));
      say(d, details({ kind: 'task_result', task_id: 'k', status: 'completed', result: { text: e } }));
    }
    if (at % 3 === 0) {
      const step = { kind: 'step', task_id: 'k', index: at, status: 'failed', action: a, subject: b };
      const places = { before: { url: d, title: e }, after: { url: `javascript:${RUN}`, title: f } };
      const rest = { thought: c, changes: [d], events: [e], error: { code: 'x', message: f } };
      say(a, details({ ...step, ...places, ...rest }));
    }
    if (at % 8 !== 0) return;
    const prompt = promptOf(session_id, `p${at}`, `${a}\n${b}`);
    proxy.send({ ...prompt, choices: [{ choice_id: c.slice(0, 200), label: d, is_default: false }] });
    const form = { type: 'object', properties: { [a]: { title: b, description: c, enum: [d] } } };
    proxy.send({ type: 'agent_question', session_id, question_id: `q${at}`, text: e, form });
  });
  const [a = '', b = '', c = ''] = texts;
  proxy.send({
    ...{ type: 'agent_config', session_id, model_id: a.slice(0, 100), available_models: [RUN, '<b>'] },
    ...{ permission_mode: 'unknown', permission_mode_name: b, mode_id: 'm' },
    available_modes: [{ mode_id: 'm', name: a, description: b }],
    capabilities: { permission_mode_change: true, set_model: true },
    agent_name: c,
  });
}

/** A tab with hostile map, grants and findings. */
function lendHostileTab(texts: readonly string[], batch: number): void {
  const [a = '', b = '', c = '', d = ''] = texts;
  const runtime_id = `hostile_${batch}`;
  const tab = harness.relay.bridge.connectRuntime({ send: () => {} });
  const tools = texts.slice(0, 100).map((text, at) => ({ name: `${at} ${text}`, description: text }));
  const checks = texts.slice(100, 140).map((text) => ({ id: text, description: text, severity: text }));
  const manifest = { surface: { name: a, origin: b, description: c }, tools, checks };
  const location = { url: 'https://shop.example/', title: d };
  tab.receive({ type: 'runtime_ready', runtime_id, ...location, manifest, features: ['grants'] });
  const grants = texts.slice(0, 20).map((text, at) => ({
    ...{ grant_id: `g${at}`, origin: text, name: text, by: text, effect: 'act' as const },
  }));
  tab.receive({ type: 'grants_held', runtime_id, grants });
}

const linksIn = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(() => [...document.querySelectorAll('a')].map(({ href }) => href));

/** Scrolls from end to start, loading older pages and opening folded parts. */
async function readBack(visitor: Visitor): Promise<string[]> {
  const { page, talk } = visitor;
  const history = page.getByRole('region', { name: 'Conversation' });
  const links: string[] = [];
  const start = talk.getByText('The conversation starts here');
  const isAtStart = async () =>
    (await start.count()) > 0 && (await history.evaluate((node) => node.scrollTop)) === 0;
  await history.dispatchEvent('wheel');
  do {
    links.push(...(await linksIn(visitor)));
    await history.evaluate(async (node) => {
      for (const folded of node.querySelectorAll<HTMLElement>('button[aria-expanded=false]')) folded.click();
      // A slow machine may time out: retries once.
      for (const button of node.querySelectorAll('button'))
        if (button.textContent === 'Try again') button.click();
      node.scrollBy({ top: -node.clientHeight });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
  } while (!(await isAtStart()));
  return links;
}

const SCREENS = {
  '/tabs': 'https://shop.example/',
  // On a slow machine the task may already have failed.
  '/tasks': /Waiting for a browser|Failed/,
  '/devices': 'this device',
  '/audit': 'let in',
  '/settings': 'Theme',
};

async function lookAround(visitor: Visitor): Promise<string[]> {
  const { page, talk, go } = visitor;
  const links: string[] = [];
  for (const [path, shows] of Object.entries(SCREENS)) {
    await go(path);
    await talk.getByText(shows).first().waitFor();
    await page.evaluate(async () => {
      for (const folded of document.querySelectorAll<HTMLElement>('main button[aria-expanded=false]')) {
        folded.click();
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }
    });
    links.push(...(await linksIn(visitor)));
  }
  return links;
}

/** Text typed by the person is shown as typed. */
async function typeAll(
  { page, composer, go }: Visitor,
  path: string,
  texts: readonly string[],
): Promise<void> {
  await go(path);
  const search = page.getByLabel('Search sessions');
  for (const text of texts) {
    await composer.fill(text);
    await search.fill(text);
  }
  await search.fill('');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog').getByRole('combobox');
  for (const text of texts) await palette.fill(text);
  await page.keyboard.press('Escape');
}

const LONGEST_MS = 60_000 + BATCHES.length * 240_000;

test(
  `${COUNT} hostile texts in every field of every screen: no script runs, and nothing is asked of anybody else`,
  async () => {
    expect(new Set(TEXTS).size).toBe(COUNT);
    const proxy = await harness.proxy(TEXTS[1] ?? '');
    const visitor = await visit(harness, { role: 'owner', label: TEXTS[1] ?? '' });
    const { page, talk, go } = visitor;
    await page.setViewportSize({ width: 1_360, height: 4_000 });
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(harness.url) && !/^(data|blob):/.test(request.url()))
        outside.push(request.url());
    });
    page.on('dialog', (dialog) => outside.push(dialog.message()));
    const links: string[] = [];

    for (const [batch, texts] of BATCHES.entries()) {
      const session_id = `hostile_${batch}`;
      const display_name = `The hostile one ${batch}`;
      proxy.list(sessionOf(session_id, { display_name, activity: { kind: 'idle' } }), ...named(texts, batch));
      sayAll(proxy, session_id, texts);
      lendHostileTab(texts, batch);
      for (const prompt of texts.slice(0, 10)) {
        await askInPage(page, 'POST /api/tasks', { prompt });
      }
      await go(`/s/${session_id}`);
      // Opens at the first unread entry, possibly far from the prompt.
      const bar = talk.getByRole('button', { name: 'Show', exact: true });
      const card = talk.getByText('Needs your decision').first();
      await bar.or(card).first().waitFor();
      if ((await bar.count()) > 0) await bar.click();
      await card.waitFor();
      links.push(...(await readBack(visitor)));
      links.push(...(await lookAround(visitor)));
      await typeAll(visitor, `/s/${session_id}`, texts.slice(0, 10));
    }
    expect(await page.evaluate(() => document.documentElement.dataset['ran'])).toBeUndefined();
    expect(outside).toEqual([]);
    const odd = new Set(links.filter((href) => href !== '' && !/^(https?:|mailto:)/.test(href)));
    expect([...odd]).toEqual([]);
    expect(
      links.some((href) => href.startsWith(AWAY)),
      'what may be followed is a link',
    ).toBe(true);
  },
  LONGEST_MS,
);
