import { isDeep, type OpenPage, openPage } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPage, withPageCode } from '../../test/page-harness.ts';

/** Characters that addresses, JSON, HTML or Markdown escape. */
const SECRET = String.raw`Zq7 "x"&<é>/K#9\p*+%`;
const FORM = '<form><label>Word <input type=password></label></form><main><p id=out>Text</p></main>';

let opened: OpenPage;
beforeAll(async () => {
  opened = await openPage();
  await opened.page.route('http://page.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><meta charset=utf-8>${FORM}` }),
  );
});
afterAll(() => opened.close());

/** A page with an origin, read by `createPerception` only. */
async function lookedAt(): Promise<TestPage> {
  await opened.page.goto('http://page.test/');
  return withPageCode(opened);
}

async function everythingSaid(page: TestPage, since: string): Promise<string> {
  const delta = await page.delta(since, { scope: 'page' });
  const whole = await page.snapshot({ scope: 'page', form: 'lines', context: true });
  const keys = await page.snapshot({ scope: 'page', form: 'full_keys' });
  const view = await page.snapshot({ scope: 'page', form: 'view' });
  const sent = [delta, whole, keys, view, await page.read(), await page.skeleton(), await page.fullDom()];
  // A snapshot's id contains the document's start time, which may look like anything.
  return JSON.stringify(sent).replaceAll(since.slice(0, since.indexOf('-')), '');
}

/** Remains of the secret in a text, in any encoding. */
function traces(text: string): string[] {
  const plain = text
    .replaceAll('\\', '')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<');
  return ['zq7', 'k#9', 'k%239', '%239', '9p*', '9%5cp'].filter((trace) =>
    plain.toLowerCase().includes(trace),
  );
}

/** Ways of a page to repeat a value; each runs with `value`, `out` and `field`. */
const ECHOES: readonly (readonly [string, string])[] = [
  ['the title', 'document.title = "Hello " + value'],
  ['the hash, as it is', 'location.hash = value'],
  ['the hash, encoded', 'location.hash = encodeURIComponent(value)'],
  ['the query, as it is', 'history.pushState(0, "", "?q=" + value.replace("#", "%23"))'],
  ['the query, by encodeURI', 'history.pushState(0, "", "?q=" + encodeURI(value).replace("#", "%23"))'],
  ['the query, by encodeURIComponent', 'history.pushState(0, "", "?q=" + encodeURIComponent(value))'],
  ['the query, as a form sends it', 'history.pushState(0, "", "?" + new URLSearchParams({ q: value }))'],
  ['a text', 'out.textContent = "You typed " + value'],
  ['a text in capitals', 'out.textContent = "You typed " + value.toUpperCase()'],
  ['JSON', 'out.textContent = JSON.stringify({ typed: value })'],
  ['a link', 'out.innerHTML = "<a>Again</a>"; out.firstChild.href = "/?q=" + encodeURIComponent(value)'],
  ['an attribute', 'out.innerHTML = "<button>Go</button>"; out.firstChild.title = value'],
  [
    'a name that is cut off',
    'out.innerHTML = "<button></button>"; out.firstChild.textContent = "x".repeat(40) + " " + value',
  ],
  [
    'a text that is cut off',
    'out.textContent = "many words ".repeat(8) + value + " and more words".repeat(9)',
  ],
  [
    'a value that is cut off',
    'out.innerHTML = "<input>"; out.firstChild.value = "y".repeat(70) + " " + value + value',
  ],
  ['a frame', 'out.innerHTML = "<iframe></iframe>"; out.firstChild.contentDocument.body.textContent = value'],
];

/** Later changes of the field by the page. */
const FATES: readonly (readonly [string, string])[] = [
  ['is still there', ''],
  ['has gone', 'field.form.remove()'],
  ['was emptied', 'field.value = ""'],
  ['was replaced', 'field.replaceWith(document.createElement("input"))'],
];

/** `npm run deep` tries every pair; otherwise each echo meets one fate, and each fate a quarter of the echoes. */
const EVERY = isDeep ? 1 : 4;
const PAIRS = ECHOES.flatMap(([echo, say], at) =>
  FATES.filter((_, fate) => (at + fate) % EVERY === 0).map(
    ([fate, meet]) => [echo, fate, say, meet] as const,
  ),
);

describe('[INT-276] [INT-277] perception does not repeat a secret', () => {
  test.each(PAIRS)('in %s, when its field %s', async (_, __, say, meet) => {
    const page = await lookedAt();
    const { snapshot_id } = await page.snapshot();
    await page.page.locator('input').fill(SECRET);
    await page.run(
      ([value, script]) => {
        const out = document.querySelector('#out');
        const field = document.querySelector('input');
        new Function('value', 'out', 'field', script)(value, out, field);
      },
      [SECRET, `${meet};${say}`] as const,
    );
    expect(traces(await everythingSaid(page, snapshot_id))).toEqual([]);
  });
});

test('[INT-277] masks a secret that was never typed from the first snapshot on', async () => {
  const page = await lookedAt();
  await page.run((value) => {
    const field = document.querySelector('input');
    if (field !== null) field.value = value;
  }, SECRET);
  const { snapshot_id } = await page.snapshot();
  await page.run((value) => {
    document.querySelector('form')?.remove();
    document.title = value;
  }, SECRET);
  expect(traces(await everythingSaid(page, snapshot_id))).toEqual([]);
});

test('[INT-277] masks a secret of a frame outside it', async () => {
  const page = await lookedAt();
  await page.run(() => {
    const frame = document.createElement('iframe');
    document.querySelector('main')?.append(frame);
    frame.contentDocument?.write('<input type=password>');
  });
  const { snapshot_id } = await page.snapshot();
  await page.page.frameLocator('iframe').locator('input').fill(SECRET);
  await page.run((value) => {
    document.querySelector('iframe')?.remove();
    document.title = value;
  }, SECRET);
  expect(traces(await everythingSaid(page, snapshot_id))).toEqual([]);
});

test('[INT-277] masks a code with each digit in a list item, button or cell', async () => {
  const CODE = '482913';
  const page = await lookedAt();
  for (const [open, close] of [
    ['<ul><li>', '</li><li>'],
    ['<ol><li>', '</li><li>'],
    ['<button>', '</button><button>'],
    ['<table><tr><td>', '</td><td>'],
    ['<table><tr><td>', '</td></tr><tr><td>'],
    ['<div>', '</div><div>'],
  ] as const) {
    await opened.page.evaluate(
      ([code, html]) => {
        const field = document.querySelector('input') ?? document.createElement('input');
        field.value = code;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        document.querySelector('#out')?.replaceChildren();
        document.querySelector('main')?.insertAdjacentHTML('beforeend', `<section>${html}</section>`);
      },
      [CODE, `${open}${[...CODE].join(close)}`] as const,
    );
    const { text } = await page.read();
    // Ids and the numbers of an ordered list stay.
    expect([open, text.replace(/\]\(\w+\)|^\d+\. /gm, '')]).toEqual([open, expect.not.stringMatching(/\d/)]);
    await opened.page.evaluate(() => document.querySelector('section')?.remove());
  }
});

test('[INT-277] keeps an echo masked when typing continues', async () => {
  const page = await lookedAt();
  const { snapshot_id } = await page.snapshot();
  await page.page.locator('input').pressSequentially('Zq7-K#9p');
  await page.run(() => {
    document.title = document.querySelector('input')?.value ?? '';
  });
  await page.snapshot();
  await page.page.locator('input').pressSequentially('-more');
  expect(traces(await everythingSaid(page, snapshot_id))).toEqual([]);
});

test('[INT-277] blocks copy, cut and drag of any part of a secret', async () => {
  const page = await lookedAt();
  await page.page.locator('input').fill('Zq7-K#9p');
  const stopped = await page.run(() => {
    const [field, out] = [document.querySelector('input'), document.querySelector('#out')];
    const [echo, plain] = [document.createElement('input'), document.createElement('input')];
    out?.append(echo, plain);
    echo.value = 'is Zq7-K#9p';
    plain.value = 'is nothing';
    const isStopped = (element: Element | null) =>
      ['copy', 'cut', 'dragstart'].map(
        (type) => element?.dispatchEvent(new Event(type, { bubbles: true, cancelable: true })) === false,
      );
    return [field, echo, plain].map(isStopped);
  });
  expect(stopped).toEqual([
    [true, true, true],
    [true, true, true],
    [false, false, false],
  ]);
});

test('leaves unrelated text unchanged', async () => {
  const page = await lookedAt();
  await page.page.locator('input').fill('Zq7-K#9p');
  await page.run(() => {
    document.title = 'Zq7 and K#9, apart';
  });
  expect((await page.snapshot()).page).toMatchObject({
    url: 'http://page.test/',
    title: 'Zq7 and K#9, apart',
  });
});
