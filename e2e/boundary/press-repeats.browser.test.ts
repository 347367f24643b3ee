import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';

/**
 * Attacks between the events of one call: a later press, key or activation differs from the classified one.
 */

interface Served {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const pages = new Map<string, Served>();
let decision: 'once' | 'deny' = 'deny';
const person = answeringPerson(() => decision);
let harness: BrowserHarness;
let port: number;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const { body, headers } = pages.get(pathname) ?? { body: '', headers: {} };
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    .end(`<!doctype html><title>calm</title>${body}`);
});

beforeAll(async () => {
  port = await listenOnLoopback(server);
  harness = await startBrowserHarness({ asker: person });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  server.close();
});
beforeEach(() => {
  person.asked.length = 0;
  decision = 'deny';
});

let shown = 0;
async function show(body: string, headers: Served['headers'] = {}): Promise<void> {
  const path = `/${++shown}`;
  pages.set(path, { body, headers });
  await harness.goto(`http://127.0.0.1:${port}${path}`);
}

const idBy = async (selector: string): Promise<string> =>
  ((await harness.call('locator.element_info', { locator: { selector } })) as { id: string }).id;
const title = async (): Promise<string> => ((await harness.call('page.info')) as { title: string }).title;
const outcome = (name: string, args: object): Promise<string> =>
  harness.call(name, args).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

test('[B8] actions work in a document that runs no scripts', async () => {
  const headers = { 'content-security-policy': 'sandbox allow-forms allow-same-origin' };
  await show(`<a id=next href="#there">Show more</a><input id=word><p id=there>There</p>`, headers);
  expect(await outcome('element.fill', { id: await idBy('#word'), text: 'lamp' })).toBe('done');
  expect(await outcome('element.click', { id: await idBy('#next') })).toBe('done');
  expect(await outcome('keyboard.press', { key: 'Enter' })).toBe('done');
  expect(await harness.call('page.info')).toMatchObject({ url: expect.stringContaining('#there') });
});

const RELABEL = `<button id=b type=button style="position:absolute;left:0;top:0;width:200px;height:60px">Show more</button>
  <script>b.onclick = () => { if (b.textContent === 'Show more') b.textContent = 'Delete account'; else document.title = 'paid'; }</script>`;
const RETYPE = `<form onsubmit="document.title = 'paid'; return false" method=post><input type=password>
  <button id=b type=button style="position:absolute;left:0;top:0;width:200px;height:60px">Show more</button></form>
  <script>b.onclick = (event) => { if (b.type === 'submit') return; event.preventDefault(); b.type = 'submit'; }</script>`;
const AMOUNT = `<p id=sum>Total €5.00</p><button id=b style="position:absolute;left:0;top:50px;width:200px;height:60px">Pay now</button>
  <script>let n = 0; b.onclick = () => { if (++n === 2) document.title = 'paid'; sum.textContent = 'Total €5,000.00'; }</script>`;

test.each([
  ['says something else', 'deny', RELABEL],
  ['sends a form', 'once', RETYPE],
  ['costs another amount', 'once', AMOUNT],
] as const)('[B1] [B2] the second press of a double click that %s is not done', async (_, answer, body) => {
  decision = answer;
  await show(body);
  expect(await outcome('element.double_click', { id: await idBy('#b') })).toBe('state_mismatch');
  expect(await title()).toBe('calm');
  await show(body);
  expect(await outcome('pointer.double_click', { x: 100, y: 55 })).toBe('state_mismatch');
  expect(await title()).toBe('calm');
});

test('[B2] a double click on a button that does not change after the question presses twice', async () => {
  decision = 'once';
  await show(`<button id=b>Pay now</button><script>b.onclick = () => { document.title += '+'; }</script>`);
  expect(await outcome('element.double_click', { id: await idBy('#b') })).toBe('done');
  expect(person.asked).toHaveLength(1);
  expect(await title()).toBe('calm++');
});

const RENAMED = (
  type: string,
  acting: string,
) => `<button id=b style="width:200px;height:60px">Show more</button><script>
  b.addEventListener('${type}', () => { b.textContent = 'Delete account'; }, { once: true });
  b.addEventListener('${acting}', () => { document.title = 'deleted'; });</script>`;

test.each([
  ['pointerdown', 'mousedown', 'element.click', {}],
  ['mousedown', 'pointerup', 'element.click', {}],
  ['mousedown', 'mouseup', 'element.double_click', {}],
  ['touchstart', 'touchend', 'element.click', { touch: true }],
  ['mousedown', 'contextmenu', 'element.click', { button: 'right' }],
  ['pointerdown', 'click', 'element.drag', { by: [3, 0] }],
])('[B9] a button renamed at %s receives no %s by %s', async (type, acting, name, args) => {
  await show(RENAMED(type, acting));
  const id = await idBy('#b');
  // The button goes up at the end of a drag, whatever the page shows by then.
  expect(await outcome(name, { id, ...args })).toBe(name === 'element.drag' ? 'done' : 'state_mismatch');
  expect(await title()).toBe('calm');
});

const FORM = `<form id=f method=post action="/ok" onsubmit="document.title = 'sent ' + f.to.value; return false">
  <input name=to type=hidden value=mother><input id=note aria-label=Note><button id=b>Pay now</button></form>`;

test('[B9] a form that does not change after the question is sent by a press and by Enter', async () => {
  decision = 'once';
  await show(FORM);
  expect(await outcome('element.click', { id: await idBy('#b') })).toBe('done');
  expect(await title()).toBe('sent mother');
  await show(FORM);
  await outcome('element.focus', { id: await idBy('#note') });
  expect(await outcome('keyboard.press', { key: 'Enter' })).toBe('done');
  expect(await title()).toBe('sent mother');
});

test.each(['focusin', 'pointerdown', 'mousedown', 'pointerup'])(
  '[B9] a press whose form changes at %s after the yes sends nothing',
  async (type) => {
    decision = 'once';
    await show(`${FORM}<script>b.addEventListener('${type}', () => { f.to.value = 'thief'; });</script>`);
    expect(await outcome('element.click', { id: await idBy('#b') })).toBe('state_mismatch');
    expect(await title()).toBe('calm');
  },
);

test.each(['keydown', 'keypress', 'change'])(
  '[B9] Enter sends nothing when its form changes at %s after the yes',
  async (type) => {
    decision = 'once';
    await show(`${FORM}<script>note.addEventListener('${type}', (event) => {
    if (event.key === undefined || event.key === 'Enter') f.to.value = 'thief'; });</script>`);
    await outcome('element.focus', { id: await idBy('#note') });
    await outcome('keyboard.press', { key: 'x' });
    expect(await outcome('keyboard.press', { key: 'Enter' })).toBe('state_mismatch');
    expect(await title()).toBe('calm');
  },
);

test('[B9] a press whose target becomes irreversible at pointerdown needs a question', async () => {
  await show(`<button id=b onclick="document.title = 'paid'">Show more</button>
    <script>b.onpointerdown = () => { b.textContent = 'Delete account'; };</script>`);
  expect(await outcome('element.click', { id: await idBy('#b') })).toBe('state_mismatch');
  expect(await title()).toBe('calm');
});

test('[B9] a button that shows its pressed state, and a checkbox, are pressed', async () => {
  decision = 'once';
  await show(`<form onsubmit="document.title += ' sent'; return false" method=post><input type=hidden name=to value=mother>
    <label><input id=tick type=checkbox onchange="document.title += ' ticked'">Delete my account</label>
    <button id=b>Pay now</button></form>
    <script>b.onpointerdown = () => { b.className = 'active'; b.firstChild.data = 'Paying now…'; };</script>`);
  expect(await outcome('element.click', { id: await idBy('#tick') })).toBe('done');
  expect(await outcome('element.click', { id: await idBy('#b') })).toBe('done');
  expect(await title()).toBe('calm ticked sent');
});

test('[B3] a sequence of keys presses no other element than the question names', async () => {
  decision = 'once';
  await show(`<button id=b>Next</button><button onclick="document.title = 'paid'">Delete account</button>`);
  expect(await outcome('element.keys', { id: await idBy('#b'), keys: ['Tab', 'Enter'] })).toBe(
    'invalid_input',
  );
  expect(person.asked).toHaveLength(0);
  expect(await outcome('element.keys', { id: await idBy('#b'), keys: ['Tab'] })).toBe('done');
  expect(await outcome('element.keys', { keys: ['Enter'] })).toBe('done');
  expect(person.asked).toMatchObject([{ sentence: expect.stringContaining('Delete account') }]);
  expect(await title()).toBe('paid');
});

test.each([
  [
    'moves the focus',
    `<button id=b>Pay now</button><button id=c>Delete account</button>
    <script>b.onclick = () => c.focus(); c.onclick = () => { document.title = 'paid'; };</script>`,
  ],
  ['changes the amount', AMOUNT],
])('[B2] a repeated key stops when a press %s', async (_, body) => {
  for (const more of [{}, { trusted: false }]) {
    decision = 'once';
    await show(body);
    await outcome('element.focus', { id: await idBy('#b') });
    await expect(harness.call('keyboard.press', { key: 'Enter', repeat: 3, ...more })).rejects.toMatchObject({
      code: 'state_mismatch',
      evidence: { done: 1, repeat: 3 },
    });
    expect(await title()).toBe('calm');
  }
});

test('[B2] a key repeats on an unchanged element, and Tab moves on', async () => {
  decision = 'once';
  await show(`<button id=b>Pay now</button><button>Delete account</button><button id=c>Next</button>
    <script>b.onclick = () => { document.title += '+'; }; c.onfocus = () => { document.title += ' there'; };</script>`);
  await outcome('element.focus', { id: await idBy('#b') });
  expect(await outcome('keyboard.press', { key: 'Enter', repeat: 3 })).toBe('done');
  expect(await outcome('keyboard.press', { key: 'Tab', repeat: 2 })).toBe('done');
  expect(person.asked).toHaveLength(1);
  expect(await title()).toBe('calm+++ there');
});

test.each(['keydown', 'keypress'])(
  '[B9] Enter by page script sends nothing when its form changes at %s after the yes',
  async (type) => {
    decision = 'once';
    await show(`${FORM}<script>note.addEventListener('${type}', () => { f.to.value = 'thief'; });</script>`);
    await outcome('element.focus', { id: await idBy('#note') });
    expect(await outcome('keyboard.press', { key: 'Enter', trusted: false })).toBe('state_mismatch');
    expect(await title()).toBe('calm');
  },
);

test('[B9] a press whose number changes at pointerdown after the yes is not done', async () => {
  decision = 'once';
  await show(`<button id=b onclick="document.title = 'paid'">Delete 5 files</button>
    <script>b.onpointerdown = () => { b.firstChild.data = 'Delete 500 files'; };</script>`);
  expect(await outcome('element.click', { id: await idBy('#b') })).toBe('state_mismatch');
  expect(await title()).toBe('calm');
});

test('[B9] a button that only shows progress is pressed, and one that shows more is not', async () => {
  const changing = (to: string) => `<button id=b onclick="document.title = 'pressed'">Next</button>
    <script>b.onpointerdown = () => { b.textContent = '${to}'; };</script>`;
  for (const to of ['Loading…', 'Please wait, one moment', 'Wird geladen']) {
    await show(changing(to));
    expect(await outcome('element.click', { id: await idBy('#b') }), to).toBe('done');
    expect(await title(), to).toBe('pressed');
  }
  for (const to of ['Loading… Pay now', 'Verwijderen', 'Wait: delete account']) {
    await show(changing(to));
    expect(await outcome('element.click', { id: await idBy('#b') }), to).toBe('state_mismatch');
    expect(await title(), to).toBe('calm');
  }
  expect(person.asked).toEqual([]);
}, 60_000);

test.each([
  [
    'to words that begin like the earlier ones',
    `<button id=b>Accept delivery</button>
     <script>b.onpointerdown = () => { b.textContent = 'Delete account'; };</script>`,
  ],
  [
    'to the start of an earlier word',
    `<button id=b>Payload</button><script>b.onpointerdown = () => { b.textContent = 'Pay'; };</script>`,
  ],
  [
    'to a longer word that a short one begins',
    `<button id=b>Term</button><script>b.onpointerdown = () => { b.textContent = 'Terminate'; };</script>`,
  ],
  [
    'by a rule of its style sheet',
    `<style>#b::after { content: "Next" }</style><button id=b></button>
     <script>b.onpointerdown = () => { document.styleSheets[0].insertRule('#b::after { content: "Delete account" }', 1); };</script>`,
  ],
  [
    'in what its dialog asks',
    `<div role=dialog aria-label="Show tips?"><h2 id=h>Show tips?</h2><button id=b>Yes</button></div>
     <script>b.onpointerdown = () => { h.textContent = 'Delete your account?'; };</script>`,
  ],
  [
    'in a shadow root',
    `<div id=host></div><script>const root = host.attachShadow({ mode: 'closed' });
     root.innerHTML = '<button style="width:200px;height:60px">Next</button>';
     const b = root.firstChild; b.onpointerdown = () => { b.textContent = 'Delete account'; };</script>`,
  ],
])('[B9] a button that changes %s at pointerdown is not pressed', async (_, body) => {
  await show(`${body}<style>#b { position: fixed; left: 0; top: 0; width: 200px; height: 60px }</style>
    <script>b.onclick = () => { document.title = 'pressed'; };</script>`);
  expect(await outcome('pointer.click', { x: 60, y: 30 })).toBe('state_mismatch');
  expect(await title()).toBe('calm');
});

test('[B9] a button that shows the form of its word for work under way is pressed', async () => {
  for (const [from, to] of [
    ['Save', 'Saving…'],
    ['Speichern', 'Speichert …'],
    ['Create list', 'Creating list'],
    ['Add', 'Adding…'],
    ['Stop', 'Stopping'],
  ]) {
    await show(`<button id=b onclick="document.title = 'pressed'">${from}</button>
      <script>b.onpointerdown = () => { b.textContent = '${to}'; };</script>`);
    expect(await outcome('element.click', { id: await idBy('#b') }), to).toBe('done');
    expect(await title(), to).toBe('pressed');
  }
});

test.each(['Enter', 'Space'])(
  '[B9] %s on an element that changes at focus asks about the changed element',
  async (key) => {
    await show(`<button id=b onclick="document.title = 'paid'">Show more</button>
    <script>b.onfocus = () => { b.textContent = 'Delete account'; };</script>`);
    expect(await outcome('element.keys', { id: await idBy('#b'), keys: [key] })).toBe('permission_denied');
    expect(person.asked).toMatchObject([{ sentence: expect.stringContaining('Delete account') }]);
    expect(await title()).toBe('calm');
  },
);

test('[B9] element.keys does nothing on an element that changes again after it was classified', async () => {
  decision = 'once';
  await show(`<p id=sum>Total €5.00</p><button id=b onclick="document.title = 'paid'">Pay now</button>
    <script>b.onkeydown = () => { sum.textContent = 'Total €5,000.00'; };</script>`);
  expect(await outcome('element.keys', { id: await idBy('#b'), keys: ['Enter'] })).toBe('state_mismatch');
  expect(await title()).toBe('calm');
});
