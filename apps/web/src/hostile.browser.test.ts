import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHouse, type TestHouse } from './test-house.suite.ts';
import { promptOf, sessionOf, visit } from './visit.suite.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse();
  await fetch(house.url);
});
afterAll(() => house.close());

const RUN = 'document.documentElement.dataset.ran=1';
const AWAY = 'https://evil.example/x';
const PAYLOADS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${AWAY}.png">`,
  `![picture](${AWAY}.png)`,
  `![picture](${AWAY}.svg "title")`,
  `[click](javascript:${RUN})`,
  `[click](JaVaScRiPt:${RUN})`,
  `[click](java\tscript:${RUN})`,
  `[click](data:text/html,<script>${RUN}</script>)`,
  `[click](vbscript:msgbox)`,
  `<a href="javascript:${RUN}">a</a>`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<iframe src="${AWAY}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="${AWAY}"></object>`,
  `<embed src="${AWAY}">`,
  `<link rel=stylesheet href="${AWAY}.css">`,
  `<style>@import url(${AWAY}.css);</style>`,
  `<div style="background:url(${AWAY}.png)">x</div>`,
  `<base href="${AWAY}/">`,
  `<meta http-equiv=refresh content="0;url=${AWAY}">`,
  `<form action="${AWAY}"><button autofocus onfocus="${RUN}">x</button></form>`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<video src="${AWAY}.mp4" autoplay onerror="${RUN}"></video>`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<template><script>${RUN}</script></template>`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `[ref]: javascript:${RUN}\n\n[click][ref]`,
  `<${AWAY}>\n\n<javascript:${RUN}>`,
  `| a |\n|---|\n| <img src=${AWAY} onerror=${RUN}> |`,
  `\u202e${AWAY}\u2066<b onmouseover=${RUN}>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `__proto__ \${${RUN}} <%= ${RUN} %>`,
];
/** Each as it is, in the middle of words, and out of an attribute. */
const ALL = PAYLOADS.flatMap((text) => [text, `before ${text} after`, `"'><x ${text}`]).slice(0, 100);

const details = (value: object): Readonly<Record<string, unknown>> => ({ metadata: { details: value } });

test('100 hostile texts in every field of every screen: no script runs, and nothing is asked of anybody else', async () => {
  expect(ALL).toHaveLength(100);
  const proxy = await house.proxy(ALL[1] ?? '');
  const labels = (text: string) => ({
    display_name: text,
    window_title: text,
    workspace_name: text,
    workspace_path: text,
    machine_label: text,
    agent_name: text,
    target_id: text,
    activity: { kind: 'generating', label: text },
  });
  const named = ALL.map((text, at) => sessionOf(`list_${at}`, labels(text)));
  proxy.list(sessionOf('hostile', { display_name: 'The hostile one', activity: { kind: 'idle' } }), ...named);
  const { page, talk, go } = await visit(house, { role: 'owner', label: ALL[1] ?? '' });
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(house.url) && !/^(data|blob):/.test(request.url()))
      outside.push(request.url());
  });
  page.on('dialog', (dialog) => outside.push(dialog.message()));

  ALL.forEach((text, at) => {
    const say = (more: Readonly<Record<string, unknown>>) => proxy.say('hostile', text, more);
    say({ message_id: `m${at}`, attachments: [{ attachment_id: `f${at}`, name: text }] });
    say(
      details({
        kind: 'tool_call',
        tool_call_id: 't',
        title: text,
        status: 'completed',
        input: text,
        output: text,
        diffs: [{ path: text, old_text: text, new_text: `${text}\n${text}` }],
      }),
    );
    if (at % 10 !== 0) return;
    say({ role: 'user' });
    say(details({ kind: 'plan', steps: [{ text, status: 'active' }] }));
    say(details({ kind: 'thought' }));
    say(details({ kind: 'task_result', task_id: 'k', status: 'completed', result: { text } }));
    say(
      details({
        kind: 'step',
        task_id: 'k',
        index: at,
        action: text,
        subject: text,
        thought: text,
        status: 'failed',
        before: { url: text, title: text },
        after: { url: `javascript:${RUN}`, title: text },
        changes: [text],
        events: [text],
        error: { code: 'x', message: text },
      }),
    );
    const prompt = promptOf('hostile', `p${at}`, `${text}\n${text}`);
    proxy.send({ ...prompt, choices: [{ choice_id: text.slice(0, 200), label: text, is_default: false }] });
    const form = { type: 'object', properties: { [text]: { title: text, description: text, enum: [text] } } };
    proxy.send({ type: 'agent_question', session_id: 'hostile', question_id: `q${at}`, text, form });
  });
  proxy.send({
    type: 'agent_config',
    session_id: 'hostile',
    model_id: 'm',
    available_models: [RUN, '<b>'],
    permission_mode: 'unknown',
    permission_mode_name: ALL[0],
  });

  const tab = house.relay.bridge.connectRuntime({ send: () => {} });
  const tools = ALL.map((text, at) => ({ name: `${at} ${text}`, description: text }));
  const manifest = { surface: { name: ALL[0], origin: ALL[1], description: ALL[2] }, tools };
  tab.receive({
    ...{ type: 'runtime_ready', runtime_id: 'hostile', url: 'https://shop.example/' },
    ...{ title: ALL[1] ?? '', manifest, features: ['grants'] },
  });
  for (const prompt of ALL.slice(0, 10)) {
    await page.evaluate((body) => fetch('/api/tasks', { method: 'POST', body }), JSON.stringify({ prompt }));
  }

  await page.getByText('The hostile one').first().waitFor();
  await page.locator('a[href="/s/hostile"]').click();
  const history = page.getByRole('region', { name: 'Conversation' });
  await talk.getByText('Needs your decision').first().waitFor();
  const links: string[] = [];
  const collect = () => page.evaluate(() => [...document.querySelectorAll('a')].map(({ href }) => href));
  // From the end to the beginning: older pages come on the way, and whatever is folded is opened.
  await page.setViewportSize({ width: 1_360, height: 4_000 });
  await history.dispatchEvent('wheel');
  const start = talk.getByText('The conversation starts here');
  const isAtStart = async () =>
    (await start.count()) > 0 && (await history.evaluate((node) => node.scrollTop)) === 0;
  do {
    links.push(...(await collect()));
    await history.evaluate(async (node) => {
      for (const folded of node.querySelectorAll<HTMLElement>('button[aria-expanded=false]')) folded.click();
      node.scrollBy({ top: -node.clientHeight });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
  } while (!(await isAtStart()));
  const screens = { '/tabs': 'https://shop.example/', '/tasks': 'Waits for', '/devices': 'this device' };
  for (const [path, shows] of Object.entries({ ...screens, '/audit': 'by ', '/settings': 'Theme' })) {
    await go(path);
    await talk.getByText(shows).first().waitFor();
    await page.evaluate(async () => {
      for (const folded of document.querySelectorAll<HTMLElement>('main button[aria-expanded=false]')) {
        folded.click();
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }
    });
    links.push(...(await collect()));
  }
  expect(await page.evaluate(() => document.documentElement.dataset['ran'])).toBeUndefined();
  expect(outside).toEqual([]);
  const odd = new Set(links.filter((href) => href !== '' && !/^(https?:|mailto:)/.test(href)));
  expect([...odd]).toEqual([]);
  expect(
    links.some((href) => href.startsWith(AWAY)),
    'what may be followed is a link',
  ).toBe(true);
});
