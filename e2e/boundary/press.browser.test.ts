import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { SWAPS_IN_TURN } from './deceits.ts';

/** Attacks on the target of a press: issue findings 4, 5 and 9. */

const pages = new Map<string, string>();
const person = answeringPerson(() => 'deny');
let harness: BrowserHarness;
let port: number;
let otherPort: number;

const answer = () =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const body = pages.get(pathname) ?? '';
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>calm</title>${body}`);
  });
const servers = [answer(), answer()];

beforeAll(async () => {
  [port = 0, otherPort = 0] = await Promise.all(servers.map((server) => listenOnLoopback(server)));
  harness = await startBrowserHarness({ asker: person });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  for (const server of servers) server.close();
});
beforeEach(() => {
  person.asked.length = 0;
});

let shown = 0;
async function show(body: string): Promise<void> {
  const path = `/${++shown}`;
  pages.set(path, body);
  await harness.goto(`http://127.0.0.1:${port}${path}`);
}

interface Node {
  readonly i: string;
  readonly n: string;
  readonly xy: readonly [number, number];
}
async function node(name: string): Promise<Node> {
  let found: Node | undefined;
  await expect
    .poll(async () => {
      const { page } = (await harness.call('page.snapshot', { scope: 'page' })) as {
        page: { interactive_tree: readonly Node[] };
      };
      found = page.interactive_tree.find(({ n }) => n === name);
      return found;
    })
    .toBeDefined();
  if (found === undefined) throw new Error(`Nothing is called ${name}.`);
  return found;
}

const idBy = async (selector: string): Promise<string> =>
  ((await harness.call('locator.element_info', { locator: { selector } })) as { id: string }).id;
const done = async (): Promise<string> => ((await harness.call('page.info')) as { title: string }).title;
const outcome = (name: string, args: object): Promise<unknown> =>
  harness.call(name, args).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

/** A button that fills its container, so that a press has nowhere else to land. */
const FULL = 'style="position:absolute;inset:0;width:100%;height:100%"';
const BOX = 'style="position:relative;width:300px;height:120px;overflow:auto"';
const PAY = `<button ${FULL} onclick="document.title = 'paid'">Pay now</button>`;

test.each([
  [
    'a dialog with a name',
    `<dialog id=box open aria-labelledby=t ${BOX}><h2 id=t>Details</h2>${PAY}</dialog>`,
  ],
  ['a section with a label', `<section id=box aria-label="Details" ${BOX}>${PAY}</section>`],
  ['a group', `<div id=box role=group aria-label="Details" ${BOX}>${PAY}</div>`],
  [
    'a set of fields',
    `<fieldset id=box aria-label="Details" ${BOX}><legend>Details</legend>${PAY}</fieldset>`,
  ],
  ['a list item', `<ul><li id=box aria-label="Details" ${BOX}>${PAY}</li></ul>`],
  ['a region that scrolls', `<div id=box tabindex=0 aria-label="Details" ${BOX}>${PAY}</div>`],
  [
    'a group with a text that listens',
    `<div id=box role=group aria-label="Details" ${BOX}><div ${FULL} id=text>Pay now</div></div>
      <script>document.querySelector('#text').addEventListener('click', () => { document.title = 'paid'; })</script>`,
  ],
  [
    'a label around another button',
    `<label id=box ${BOX}>More <button ${FULL} onclick="document.title = 'paid'">Pay now</button></label>`,
  ],
  [
    'a frame of its own origin',
    `<section id=box aria-label="Details" ${BOX}><iframe ${FULL} srcdoc="<button style='position:fixed;inset:0;width:100%' onclick='parent.document.title = &quot;paid&quot;'>Pay now</button>"></iframe></section>`,
  ],
])('[finding 4] a press that lands inside is asked about: %s', async (_, body) => {
  await show(body);
  const id = await idBy('#box');
  for (const name of ['element.click', 'element.double_click']) {
    person.asked.length = 0;
    expect(await outcome(name, { id })).toBe('permission_denied');
    expect(person.asked).toHaveLength(1);
    expect(JSON.stringify(person.asked[0])).toContain('Pay now');
  }
  expect(await done()).toBe('calm');
});

test('[finding 4] a container is pressed beside its buttons where there is room', async () => {
  await show(`<section id=box aria-label="Details" onclick="document.title = event.target.id"
    style="width:400px;height:200px;display:grid;place-items:center"><button id=other>Other</button></section>`);
  expect(await outcome('element.click', { id: await idBy('#box') })).toBe('done');
  expect(person.asked).toHaveLength(0);
  expect(await done()).toBe('box');
});

test('[finding 9] a checkbox is ticked by its label without pressing the button inside', async () => {
  await show(`<label style="position:relative;display:block;width:300px;height:100px"><input id=box type=checkbox
    style="opacity:0;position:absolute;width:1px;height:1px">Terms
    <span onclick="document.title = 'paid'" role=button ${FULL}>Pay now</span></label>`);
  await outcome('element.check', { id: await idBy('#box') });
  expect(await done()).toBe('calm');
});

const EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'keydown', 'keypress', 'keyup'];
const VICTIM = `<button ${FULL}>Pay now</button><script>
  for (const type of ${JSON.stringify(EVENTS)})
    addEventListener(type, () => parent.postMessage('paid by ' + type, '*'));</script>`;
const TOLD = `<script>addEventListener('message', ({ data }) => { document.title = data; });</script>`;

/**
 * A harmless button that is covered by something else at some moment of the press. The frame was drawn below it
 * before: Chrome hit-tests no frame of another site that has not been drawn.
 */
const swapping = (
  source: string,
  swap: string,
  shows = `const swap = () => { victim.style.zIndex = '1'; };`,
) => `${TOLD}
  <button id=next style="position:absolute;left:50px;top:50px;width:200px;height:60px">Next</button>
  <iframe id=victim ${source} style="position:absolute;left:40px;top:40px;width:240px;height:90px;border:0;opacity:0.01;z-index:-1"></iframe>
  <script>
    const victim = document.querySelector('#victim');
    const next = document.querySelector('#next');
    ${shows}
    ${swap}
  </script>`;

const SWAPS: readonly (readonly [string, string])[] = [
  ['when the pointer comes', `next.onpointerover = swap;`],
  ['in the frame after the pointer came', `next.onpointerover = () => requestAnimationFrame(swap);`],
  [
    'two frames later',
    `next.onpointerover = () => requestAnimationFrame(() => requestAnimationFrame(swap));`,
  ],
  ['after a while', `next.onpointerover = () => setTimeout(swap, 25);`],
  ['at the press', `next.onpointerdown = swap;`],
];

test.each(
  (['same site', 'other site'] as const).flatMap((site) =>
    SWAPS.map(([when, swap]) => [site, when, swap] as const),
  ),
)('[finding 5] a frame of the %s, swapped in %s, gets nothing', async (site, _, swap) => {
  pages.set('/victim', VICTIM);
  const origin = site === 'same site' ? `http://127.0.0.1:${otherPort}` : `http://localhost:${otherPort}`;
  for (const route of ['element.click', 'pointer.click']) {
    await show(swapping(`src="${origin}/victim"`, swap));
    const { i: id, xy } = await node('Next');
    await outcome(route, route === 'element.click' ? { id } : { x: xy[0], y: xy[1] });
    expect(await done()).toBe('calm');
  }
  expect(person.asked).toHaveLength(0);
});

test('[finding 5] a frame of another site that is swapped in gets nothing, in ten tries of each route', async () => {
  pages.set('/victim', VICTIM);
  await show(swapping(`src="http://localhost:${otherPort}/victim"`, SWAPS_IN_TURN, ''));
  const { i: id, xy } = await node('Next');
  for (let tries = 0; tries < 10; tries++) {
    for (const [route, args] of [
      ['element.click', { id }],
      ['pointer.click', { x: xy[0], y: xy[1] }],
    ] as const) {
      await harness.call('pointer.move', { x: 20, y: 400 });
      await outcome(route, args);
      expect(await done(), `${route}, try ${tries}`).toBe('calm');
    }
  }
  expect(person.asked).toHaveLength(0);
});

test.each(['same site', 'other site'])(
  '[finding 5] a frame of the %s that appears during the press gets no event',
  async (site) => {
    pages.set('/victim', VICTIM);
    const origin = site === 'same site' ? `http://127.0.0.1:${otherPort}` : `http://localhost:${otherPort}`;
    await show(swapping('', `next.onpointerover = () => { victim.src = '${origin}/victim'; swap(); };`));
    const { i: id } = await node('Next');
    await outcome('element.click', { id });
    expect(await done()).toBe('calm');
  },
);

test('[finding 5] a document that is rewritten during the press gets no event', async () => {
  await show(`<button id=next style="position:absolute;inset:0">Next</button><script>
    next.onpointerover = () => requestAnimationFrame(() => {
      document.open();
      document.write('<title>calm</title><button style="position:absolute;inset:0" onclick="document.title = &quot;paid&quot;">Pay now</button>');
      document.close();
    });</script>`);
  const { i: id } = await node('Next');
  await outcome('element.click', { id });
  expect(await done()).toBe('calm');
});

test('[finding 5] an element that replaces another between pointerdown and click gets no event', async () => {
  await show(`<button id=next style="position:absolute;left:0;top:0;width:200px;height:60px">Next</button>
    <button id=pay style="position:absolute;left:0;top:0;width:200px;height:60px;display:none"
      onclick="document.title = 'paid'">Pay now</button>
    <script>next.onpointerdown = () => { pay.style.display = 'block'; };</script>`);
  const { i: id } = await node('Next');
  await outcome('element.click', { id });
  expect(await done()).toBe('calm');
});

test('[finding 5] a control that is put into a pressed label gets no event', async () => {
  await show(`<label id=next style="position:absolute;left:0;top:0;width:200px;height:60px">Next</label>
    <script>next.onpointerdown = () => { next.innerHTML =
      '<button style="position:absolute;inset:0" onpointerup="document.title = 1" onclick="document.title = 2">Pay now</button>'; };</script>`);
  await outcome('element.click', { id: await idBy('#next') });
  await outcome('pointer.drag', { from: { x: 90, y: 30 }, to: { x: 95, y: 30 } });
  expect(await done()).toBe('calm');
});

test('[finding 4] the question about a drag names both ends', async () => {
  await show('<button id=a>Pay now</button><button id=b>Delete account</button>');
  const ends = { from: { locator: { selector: '#a' } }, to: { locator: { selector: '#b' } } };
  expect(await outcome('pointer.drag', ends)).toBe('permission_denied');
  expect(person.asked.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/“Pay now → Delete account”/),
  ]);
});

const FOCUS_MOVES = `<button id=next>Next</button><button id=pay onclick="document.title = 'paid'">Pay now</button>`;

test.each([
  ['Enter', 'keydown'],
  ['Space', 'keydown'],
  ['Enter', 'focus'],
])('[finding 9] %s whose %s moves the focus presses nothing there', async (key, type) => {
  await show(`${FOCUS_MOVES}<script>next.addEventListener('${type}', () => pay.focus());</script>`);
  const { i: id } = await node('Next');
  await outcome('element.focus', { id });
  if (type === 'keydown') await outcome('keyboard.press', { key });
  await outcome('element.keys', { id, keys: [key] });
  expect(await done()).toBe('calm');
});

test('[finding 9] keys do not follow the focus into a frame of another site', async () => {
  pages.set('/victim', VICTIM.replace('<button', '<button autofocus'));
  await show(`${TOLD}<button id=next>Next</button><iframe id=victim src="http://localhost:${otherPort}/victim"></iframe>
    <script>next.onkeydown = () => victim.focus();</script>`);
  const { i: id } = await node('Next');
  await node('Pay now');
  await outcome('element.focus', { id });
  await outcome('keyboard.press', { key: 'Enter' });
  expect(await done()).toBe('calm');
});

test('a harmless press, key and drag need no question', async () => {
  await show(`<button id=next onclick="document.title += ' pressed'">Next</button>
    <input aria-label=Word><div id=card style="width:50px;height:50px;background:red">Card</div>
    <script>card.onpointerup = () => { document.title += ' dropped'; };</script>`);
  const { i: id, xy } = await node('Next');
  expect(await outcome('element.click', { id })).toBe('done');
  expect(await outcome('pointer.click', { x: xy[0], y: xy[1] })).toBe('done');
  expect(await outcome('keyboard.press', { key: 'Enter' })).toBe('done');
  expect(await outcome('keyboard.press', { key: 'Tab' })).toBe('done');
  expect(await outcome('text.type', { text: 'lamp' })).toBe('done');
  const from = { selector: '#card' };
  expect(await outcome('pointer.drag', { from, to: from })).toBe('done');
  expect(await done()).toBe('calm pressed pressed pressed dropped');
  expect(await harness.call('locator.value', { locator: { selector: 'input' } })).toMatchObject({
    value: 'lamp',
  });
  expect(person.asked).toHaveLength(0);
});
