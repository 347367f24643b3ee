import type { ExtractField } from '@drawbridge/protocol/manifest';
import { sampled } from '@drawbridge/testbed';
import { describe, expect, test } from 'vitest';
import { CANARY_FORMS, type CanaryForm } from '../test/canary-forms.ts';
import { wholePages } from '../test/whole-page.ts';

const { show } = wholePages();

test('has sixty forms', () => expect(CANARY_FORMS).toHaveLength(60));

describe('[INT-276] [INT-277] [MAN-202] no channel of the page carries a secret', () => {
  test.each(
    sampled(
      CANARY_FORMS.map((form, index) => ({ ...form, canary: `Zq${index}x!canary7Kp` })),
      4,
    ),
  )('$name $inside', async (form) => {
    const page = await show('<title>Form</title><main></main>');
    await page.page.evaluate(build, form);
    const before = await page.page.evaluate(gather, { since: undefined });
    expect(await page.page.evaluate(type, form)).toBe(form.canary);
    const after = await page.page.evaluate(gather, { since: before['snapshot'] });
    const pressed = await page.page.evaluate(press, form.onPress !== undefined);
    const afterwards = await page.page.evaluate(gather, { since: after['snapshot'] });
    const channels = {
      ...prefixed('before', before),
      ...prefixed('after', after),
      ...prefixed('pressed', pressed),
      ...prefixed('afterwards', afterwards),
    };
    expect(leaks(channels, form.canary)).toEqual([]);
    expect(await page.page.evaluate(uncovered)).toEqual([]);
  });
});

type Channels = Record<string, string>;

const prefixed = (moment: string, channels: Channels): Channels =>
  Object.fromEntries(Object.entries(channels).map(([name, text]) => [`${moment}: ${name}`, text]));

/** Finds the canary, plain or URL-encoded, with its context. */
function leaks(channels: Channels, canary: string): string[] {
  return Object.entries(channels).flatMap(([name, text]) => {
    const at = [canary, encodeURIComponent(canary)].map((form) =>
      text.toLowerCase().indexOf(form.toLowerCase()),
    );
    const [first] = at.filter((index) => index >= 0);
    return first === undefined ? [] : `${name}: ${text.slice(Math.max(0, first - 60), first + 60)}`;
  });
}

// The following functions run in the page, without access to this module.

function build({ html, inside, canary = '', onPress = '' }: CanaryForm): void {
  const main = document.querySelector('main');
  let place: Document | ShadowRoot | Element | null = main;
  if (inside?.includes('frame') === true) {
    const frame = document.createElement('iframe');
    main?.append(frame);
    place = frame.contentDocument?.body ?? null;
  }
  if (inside?.includes('shadow') === true && place !== null) {
    const host = document.createElement('x-form');
    place.append(host);
    place = host.attachShadow({ mode: 'open' });
  }
  const form = document.createElement('form');
  form.innerHTML = html.replaceAll('{canary}', canary);
  place?.append(form);
  const field = form.querySelector('[data-secret]');
  Reflect.set(globalThis, 'canaryField', field);
  const go = document.createElement('button');
  go.textContent = 'Go';
  go.addEventListener('click', () => new Function('field', 'canary', onPress)(field, canary));
  main?.append(go);
}

function type({ typed = 'by hand', afterTyping = '', canary = '' }: CanaryForm): string {
  const field: Element = Reflect.get(globalThis, 'canaryField');
  if (typed !== 'not') Reflect.set(field, 'value' in field ? 'value' : 'textContent', canary);
  if (typed === 'by hand') {
    for (const name of ['input', 'change'])
      field.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
  }
  new Function('field', 'canary', afterTyping)(field, canary);
  return Reflect.get(field, 'value' in field ? 'value' : 'textContent');
}

/** All output of page code about the page, by channel. */
function gather({ since }: { readonly since: string | undefined }): Record<string, string> {
  const text = (value: unknown) => JSON.stringify(value);
  const snapshot = wholePage.snapshot({ scope: 'page', form: 'lines', context: true, boxes: true });
  const view = wholePage.snapshot({ scope: 'page', form: 'view' });
  const fields: Record<string, ExtractField> = {};
  for (const property of ['innerText', 'textContent', 'value', 'checked', 'ariaLabel'] as const) {
    fields[property] = { selector: '*', property, many: true };
  }
  for (const attribute of ['value', 'title', 'href', 'data-typed', 'aria-label', 'placeholder']) {
    fields[attribute] = { selector: '*', attribute, many: true };
  }
  const all = { selectors: ['body *', 'iframe >>> *', 'iframe >>> x-form >>> *'] };
  const { candidates } = wholePage.elementInfo(all);
  return {
    snapshot: snapshot.snapshot_id,
    V3: text(snapshot.page),
    lines: snapshot.text ?? '',
    context: text(snapshot.context),
    view: text(view),
    V2: text(wholePage.snapshot({ form: 'full_keys' })),
    filtered: text(wholePage.snapshot({ scope: 'page', query: 'password', max_tokens: 200 })),
    delta: since === undefined ? '' : text(wholePage.delta(since, { scope: 'page' })),
    skeleton: wholePage.skeleton(),
    full: wholePage.fullDom().html,
    read: text(wholePage.read()),
    events: text(wholePage.recentEvents()),
    extraction: text(
      wholePage.extract([
        { id: 'all', selector: 'body', fields },
        { id: 'inside', selector: ['iframe >>> x-form >>> form', 'iframe >>> form', 'form'], fields },
      ]),
    ),
    found: text(
      wholePage.find({ selectors: ['iframe >>> x-form >>> form', 'iframe >>> form', 'form', 'main'] }),
    ),
    info: text(
      wholePage.elementInfo({
        selectors: [
          'iframe >>> x-form >>> [data-secret]',
          'iframe >>> [data-secret]',
          '[data-secret]',
          'main',
        ],
      }),
    ),
    candidates: text(candidates),
    paths: text(snapshot.page.interactive_tree.map(({ i }) => wholePage.selectorPath(i))),
  };
}

/** The result of an action, with its effect. */
async function press(changes: boolean): Promise<Record<string, string>> {
  const { id } = wholePage.elementInfo({ selector: 'main > button' });
  return {
    effect: JSON.stringify(
      await wholePage.click(id, { expected: { type: changes ? 'any_change' : 'no_change', timeoutMs: 100 } }),
    ),
  };
}

/** Visible secrets that no mask covers. */
function uncovered(): string[] {
  const boxes = wholePage.secretBoxes();
  const field: Element = Reflect.get(globalThis, 'canaryField');
  const shown = [field, ...document.querySelectorAll('[data-echo]')].filter((one) => one.isConnected);
  return shown.flatMap((element) => {
    const frame = element.ownerDocument.defaultView?.frameElement;
    const outer = frame?.getBoundingClientRect();
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    const rect =
      element.hasAttribute('data-echo') && element.localName !== 'input'
        ? range.getBoundingClientRect()
        : element.getBoundingClientRect();
    const [left, top] = [
      rect.left + (outer?.left ?? 0) + (frame?.clientLeft ?? 0),
      rect.top + (outer?.top ?? 0) + (frame?.clientTop ?? 0),
    ];
    const isCovered = boxes.some(
      ({ x, y, width, height }) =>
        x <= left + 1 &&
        y <= top + 1 &&
        x + width >= left + rect.width - 1 &&
        y + height >= top + rect.height - 1,
    );
    return isCovered ? [] : [element.outerHTML];
  });
}
