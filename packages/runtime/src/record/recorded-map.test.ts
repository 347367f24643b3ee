import { lint, printMap, validate } from '@drawbridge/manifest';
import {
  landmarkKey,
  type PageView,
  type RecordedElement,
  type RecordedStep,
  type Recording,
} from '@drawbridge/page/recorder';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordedMap } from './recorded-map.ts';
import { replayWalk, walkText } from './walk.ts';

const URL_BEFORE = 'https://shop.example/products/mug';

const element = (fields: Partial<RecordedElement> = {}): RecordedElement => ({
  selector: '#add',
  fallbacks: [],
  role: 'button',
  name: 'Add to cart',
  text: 'Add to cart',
  tag: 'button',
  named: true,
  ...fields,
});

const NO_FORM = { submits: false, sensitive: false, searches: false };

const click = (fields: Partial<RecordedElement> = {}, before: readonly string[] = []): RecordedStep => ({
  kind: 'click',
  url: URL_BEFORE,
  element: element(fields),
  before,
  since: [],
  form: NO_FORM,
});

const typed = (
  fields: Partial<RecordedElement>,
  value?: string,
  type = 'text',
  word?: string,
): RecordedStep => ({
  kind: 'type',
  url: URL_BEFORE,
  element: element({ selector: `#${fields.name}`, role: 'textbox', tag: 'input', ...fields }),
  before: [],
  since: [],
  field: { type, personal: false, ...(word !== undefined && { word }) },
  ...(value !== undefined && { value }),
});

const landmark = (
  text: string,
  fields: Partial<RecordedElement> = {},
  path = fields.selector ?? '#told',
) => ({
  path,
  text,
  element: element({ selector: '#told', role: 'status', tag: 'p', name: '', text, named: false, ...fields }),
});

const recording = (
  steps: readonly RecordedStep[],
  landmarks: PageView['landmarks'] = [landmark('It is in the cart')],
  url = URL_BEFORE,
): Recording => ({ start: URL_BEFORE, steps, end: { url, title: 'A mug', landmarks } });

function made(...args: Parameters<typeof recordedMap>) {
  const { map, walk, remarks } = recordedMap(...args);
  const text = printMap(map);
  expect(validate(text)).toMatchObject({ ok: true, errors: [], warnings: [] });
  const [tool] = map.tools;
  if (tool === undefined) throw new Error('There is no tool.');
  return { map, walk, remarks, tool, steps: tool.workflow?.steps ?? [], findings: lint(map, { text }) };
}

test('makes one step of a press, by its locator, and proves it by its outcome', () => {
  const { tool, steps, findings, walk } = made(recording([click()]));
  expect(findings).toEqual([]);
  expect(steps.map(({ id, primitive }) => [id, primitive])).toEqual([
    ['see_add_to_cart', 'locator.wait_for'],
    ['press_add_to_cart', 'element.click'],
    ['proof', 'locator.wait_for'],
    ['told', 'locator.text_content'],
  ]);
  expect(tool).toMatchObject({
    name: 'recorded.add_to_cart',
    requires: ['element.click'],
    target: { selector: '#add', role: 'button', name: 'Add to cart', url_contains: '/products/' },
    x_actions: { effect: 'act' },
  });
  expect(walk).toEqual({
    walk: 1,
    start: '/products/mug',
    calls: [{ tool: 'recorded.add_to_cart', input: {}, secrets: [] }],
  });
});

describe('typed text', () => {
  test('becomes an argument named after its field, with secrets left open', () => {
    const { tool, walk, findings } = made(
      recording([
        typed({ name: 'First name' }, 'Ann', 'text', 'first-name'),
        typed({ name: 'How many' }, '3', 'number'),
        typed({ name: 'PIN' }),
        typed({ name: '検索' }, 'lamp'),
        click(),
      ]),
    );
    expect(findings).toEqual([]);
    expect(tool.input_schema).toEqual({
      type: 'object',
      required: ['first_name', 'how_many', 'pin', 'text'],
      properties: {
        first_name: { type: 'string', description: 'First name, such as “Ann”.' },
        how_many: { type: 'integer', description: 'How many, such as “3”.' },
        pin: {
          type: 'string',
          minLength: 1,
          writeOnly: true,
          description: expect.stringContaining('Secret'),
        },
        text: { type: 'string', description: '検索, such as “lamp”.' },
      },
      additionalProperties: false,
    });
    expect(walk.calls[0]).toMatchObject({
      input: { first_name: 'Ann', how_many: 3, text: 'lamp' },
      secrets: ['pin'],
    });
  });

  test('becomes one argument with its final value when corrected', () => {
    const { tool, walk } = made(
      recording([typed({ name: 'q' }, 'lam'), typed({ name: 'q' }, 'lamp'), click()]),
    );
    expect(Object.keys(tool.input_schema['properties'] ?? {})).toEqual(['q']);
    expect(walk.calls[0]?.input).toEqual({ q: 'lamp' });
  });

  test('is looked for in the proof when the page repeats it', () => {
    const { steps } = made(
      recording([typed({ name: 'q' }, 'lamp'), click()], [landmark('3 results for lamp')]),
    );
    expect(steps.find(({ id }) => id === 'proof')?.args).toMatchObject({
      locator: { selector: '#told', text_contains: '{% input.q %}' },
    });
  });
});

describe('proof', () => {
  test('is the change, when nothing new appears', () => {
    const before = [landmarkKey(landmark('0 things'))];
    const { steps, findings } = made(recording([click({}, before)], [landmark('1 thing')]));
    expect(findings).toEqual([]);
    expect(steps.map(({ id }) => id)).toEqual(['before', 'see_add_to_cart', 'press_add_to_cart', 'proof']);
    expect(steps.at(-1)).toMatchObject({ retry_until: expect.stringContaining('!=') });
  });

  test('is never something that was there all the time', () => {
    const before = [landmarkKey(landmark('Welcome', { selector: '#a' }))];
    const landmarks = [
      landmark('Welcome', { selector: '#a' }),
      landmark('Done', { selector: '#b', role: 'heading' }),
    ];
    const { steps } = made(recording([click({}, before)], landmarks));
    expect(JSON.stringify(steps.at(-1))).toContain('#b');
  });

  test('is the address, when only that is new', () => {
    const { steps, findings } = made(recording([click()], [], 'https://shop.example/orders/LO-1'));
    expect(findings).toEqual([]);
    expect(steps.at(-1)?.args).toMatchObject({ locator: { url_contains: '/orders/' } });
  });

  test('is reported as missing when there is none', () => {
    const { remarks, findings } = made(recording([click()], []));
    expect(remarks[0]).toContain('Nothing new appeared');
    expect(findings).toEqual([]);
  });
});

describe('between two steps', () => {
  const settleOf = (before: readonly string[], came: ReturnType<typeof landmark>) => {
    const { steps, findings } = made(
      recording([click({}, before), { ...click({ selector: '#next', name: 'Next' }), since: [came] }]),
    );
    expect(findings).toEqual([]);
    return steps.find(({ id }) => id === 'press_add_to_cart')?.settle_after;
  };

  test('waits for what the person waited for', () => {
    expect(settleOf([], landmark('Added'))).toMatchObject({ locator: { selector: '#told' } });
  });

  test('waits for its text, when only that is new', () => {
    expect(settleOf([landmarkKey(landmark('0'))], landmark('1'))).toMatchObject({
      locator: { selector: '#told', text_contains: '1' },
    });
  });

  test('waits for nothing that would run as an expression', () => {
    expect(settleOf([landmarkKey(landmark('0'))], landmark('{% 1 %}'))).toBeUndefined();
  });
});

describe('the effect', () => {
  test.each([
    ['a link', { role: 'link', name: 'Cart' }, {}, 'read'],
    ['a search', {}, { searches: true, submits: true }, 'read'],
    ['a button', {}, {}, 'act'],
    ['a button that pays', { name: 'Pay now' }, {}, 'irreversible'],
    ['a form with a secret in it', { name: 'Go on' }, { submits: true, sensitive: true }, 'irreversible'],
  ])('of %s', (_, fields, form, effect) => {
    const step: RecordedStep = { ...click(fields), kind: 'click', form: { ...NO_FORM, ...form } };
    expect(made(recording([step])).tool.x_actions?.effect).toBe(effect);
  });
});

describe('element', () => {
  test('has several ways to be found again', () => {
    const { tool } = made(recording([click({ fallbacks: ['[data-testid="add"]'] })]));
    expect(tool.target).toMatchObject({ selector: '#add', fallback_selectors: ['[data-testid="add"]'] });
  });

  test('is found by role and name rather than by position', () => {
    const { steps, findings } = made(recording([click({ selector: 'li:nth-of-type(3) > button' })]));
    expect(findings).toEqual([]);
    expect(steps[0]?.args).toMatchObject({ locator: { role: 'button', name: 'Add to cart' } });
  });

  test('is left out and reported when nothing describes it', () => {
    const { selector: _, ...nameless } = element({ named: false });
    const { remarks } = made(recording([{ ...click(), element: nameless }, click()]));
    expect(remarks[0]).toContain('Nothing describes “Add to cart” for good');
  });
});

test('produces a valid map for any names in a page', () => {
  const words = fc.oneof(
    fc.string({ maxLength: 50 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'and',
      '{% $eval("1") %}',
      '{% x',
      '123',
      ' ',
      'a.b',
      "' & input",
    ),
  );
  const selectors = words.map((word) => `input[aria-label=${JSON.stringify(word)}]`);
  const steps = fc.array(
    fc.oneof(
      fc.tuple(words, selectors).map(([name, selector]) => click({ name, selector })),
      fc
        .tuple(words, selectors, words)
        .map(([name, selector, value]) => typed({ name, selector }, value, 'text', name)),
      fc.tuple(words, selectors).map(([name, selector]) => typed({ name, selector })),
    ),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(steps, words, (walked, delivered) => {
      const { findings, tool } = made(recording(walked, [landmark(delivered)]));
      expect(findings.filter(({ severity }) => severity === 'major' || severity === 'critical')).toEqual([]);
      const slots = JSON.stringify(tool.workflow).match(/\{%.*?%\}/g) ?? [];
      for (const slot of slots) expect(slot).not.toContain('$eval');
    }),
    { numRuns: 150 },
  );
});

test('replays a walk with stored and supplied values', async () => {
  const { walk } = made(recording([typed({ name: 'q' }, 'lamp'), typed({ name: 'PIN' }), click()]));
  const done: unknown[] = [];
  const calls = {
    goto: async (path: string) => void done.push(path),
    call: async (tool: string, input: object) => done.push({ tool, input }),
  };
  const again = JSON.parse(walkText(walk));
  await expect(replayWalk(again, calls)).rejects.toThrow('not written down: pin');
  expect(done).toEqual([]);
  await replayWalk(again, { ...calls, secret: () => '1234' });
  expect(done).toEqual([
    '/products/mug',
    { tool: 'recorded.add_to_cart', input: { q: 'lamp', pin: '1234' } },
  ]);
});
