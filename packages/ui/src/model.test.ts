import { AUDIT_ACTIONS } from '@drawbridge/protocol/http';
import { readableText, stepActionOf, valueLines } from '@drawbridge/protocol/sentences';
import { describe, expect, test } from 'vitest';
import { alikeIn } from '../test/alike-words.ts';
import { lineDiff } from './message/line-diff.ts';
import { parseDetails } from './message/parse-details.ts';
import { withOwnCommand } from './own-command.ts';
import { parseForm, readForm } from './prompt/form-fields.ts';
import { relative, shortCount } from './time-words.ts';
import { de } from './words/de.ts';
import { en } from './words/en.ts';

describe('lineDiff', () => {
  const drawn = (before: string, after: string) =>
    lineDiff(before, after).map(
      ({ kind, text }) => ({ same: ' ', added: '+', removed: '-', skipped: '~' })[kind] + text,
    );

  test('shows added and removed lines with some context', () => {
    const old = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const now = old.with(10, 'new');
    expect(drawn(old.join('\n'), now.join('\n'))).toEqual([
      '~7',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+new',
      ' line 11',
      ' line 12',
      ' line 13',
      '~6',
    ]);
  });

  test('keeps what moved least', () => {
    expect(drawn('a\nb\nc', 'b\nc\nd')).toEqual(['-a', ' b', ' c', '+d']);
    expect(drawn('', 'a\nb')).toEqual(['+a', '+b']);
    expect(drawn('a', '')).toEqual(['-a']);
    expect(drawn('same', 'same')).toEqual([]);
  });

  test('shows a line break at the end only where one version has none', () => {
    expect(drawn('a\n', 'b\n')).toEqual(['-a', '+b']);
    expect(drawn('', 'a\n')).toEqual(['+a']);
    expect(drawn('a', 'a\n')).toEqual([' a', '+']);
  });

  test('gives up on the shortest diff for large inputs', () => {
    const many = (mark: string) => Array.from({ length: 1_200 }, (_, at) => `${mark}${at}`).join('\n');
    expect(lineDiff(many('a'), many('b'))).toHaveLength(2_400);
  });
});

describe('parseDetails', () => {
  test('reads what the protocol says', () => {
    const details = { kind: 'plan', steps: [{ text: 'one', status: 'active' }] };
    expect(parseDetails({ details })).toEqual(details);
    const usage = { kind: 'usage', used: 10, size: 100 };
    expect(parseDetails({ details: usage })).toEqual(usage);
  });

  test.each([
    undefined,
    {},
    { details: null },
    { details: [] },
    { details: { kind: 'other' } },
    { details: 'x' },
  ])('is undefined for %j', (metadata) => {
    expect(parseDetails(metadata)).toBeUndefined();
  });

  test.each(['thought', 'tool_call', 'plan', 'step', 'task_result', 'usage'])(
    'a %s with every field of the wrong kind is shown without them',
    (kind) => {
      const wrong = {
        title: 7,
        steps: 'x',
        status: 'odd',
        diffs: [7],
        index: -1,
        error: 'e',
        before: 3,
        used: 'x',
      };
      expect(parseDetails({ details: { kind, ...wrong } })).toMatchObject({ kind });
    },
  );
});

test.each([
  ['click(7)', 'Add to cart', 'Press “Add to cart”', '„Add to cart“ drücken'],
  ['click(7)', undefined, 'Press element 7', 'Element 7 drücken'],
  [
    'setValue("f2_7", "two \\"lamps\\"")',
    'Search',
    'Write “two "lamps"” into “Search”',
    '„two "lamps"“ in „Search“ schreiben',
  ],
  [
    'navigate("https://shop.example/")',
    undefined,
    'Go to https://shop.example/',
    'https://shop.example/ öffnen',
  ],
  ['wait()', undefined, 'Wait until the page is quiet', 'Warten, bis die Seite ruht'],
  [
    'call("cart.add", {"quantity":2})',
    undefined,
    'Use cart.add: quantity 2',
    'cart.add benutzen: quantity 2',
  ],
  ['call("cart.open", {})', undefined, 'Use cart.open', 'cart.open benutzen'],
  [
    'call("cart.add", {"quantity":2})',
    'Put it into the cart',
    'Use “Put it into the cart”: quantity 2',
    '„Put it into the cart“ benutzen: quantity 2',
  ],
  ['scroll()', undefined, 'Scroll down', 'Nach unten blättern'],
  ['scroll("top")', undefined, 'Scroll to the top', 'Zum Anfang blättern'],
  ['scroll(12)', 'Offers', 'Scroll to “Offers”', 'Zu „Offers“ blättern'],
  ['scroll(12, "up")', 'Offers', 'Scroll up in “Offers”', 'Nach oben blättern in „Offers“'],
  ['press(8, "Enter")', 'Search', 'Press the key Enter in “Search”', 'Taste Enter in „Search“ drücken'],
  ['press("Escape")', undefined, 'Press the key Escape', 'Taste Escape drücken'],
  ['check(4, false)', 'Gift', 'Untick “Gift”', 'Kreuz bei „Gift“ entfernen'],
  ['wait(2)', undefined, 'Wait 2 s', '2 s warten'],
  [
    'setValue(3, "a; b"); check(4)',
    'Name',
    'Write “a; b” into “Name”; Tick element 4',
    '„a; b“ in „Name“ schreiben; Element 4 ankreuzen',
  ],
  [
    'call("cart.add", {"lines":[{"id":"tea"}],"gift":{"wrap":true}})',
    undefined,
    'Use cart.add: lines (id “tea”), gift (wrap true)',
    'cart.add benutzen: lines (id “tea”), gift (wrap true)',
  ],
  ['click(', 'Broken', 'Do “click” with “Broken”', '„click“ ausführen mit „Broken“'],
  ['toString(1)', undefined, 'Do “toString”', '„toString“ ausführen'],
  ['Opens the shop', undefined, 'Opens the shop', 'Opens the shop'],
])('%s on %s: %s', (action, subject, english, german) => {
  expect([stepActionOf(action, subject), stepActionOf(action, subject, de.deed)]).toEqual([english, german]);
});

test.each([
  [
    'No known device asks. Pair this one first: drawbridge pair.',
    'No known device asks. Pair this one first: /work/it/drawbridge pair.',
  ],
  ['Run `drawbridge map validate FILE`.', 'Run `/work/it/drawbridge map validate FILE`.'],
  ['Open /srv/drawbridge or ask Drawbridge there', 'Open /srv/drawbridge or ask Drawbridge there'],
])('names the command of this installation in %j', (text, shown) => {
  expect(withOwnCommand(text, '/work/it/drawbridge')).toBe(shown);
});

test('the audit log says how the first owner came, and who let in another device', () => {
  const first = {
    who: 'this machine',
    of: (name: string) => (name === 'how' ? 'first start' : 'This machine'),
  };
  const later = { who: 'Desk', of: (name: string) => (name === 'how' ? 'link' : 'Phone') };
  expect([first, later].map(en.audit.entries.device_added.says)).toEqual([
    'Drawbridge was started here for the first time, and this machine became its owner.',
    'Desk let in “Phone”.',
  ]);
});

test.each([
  ['{"count":2,"lines":["lamp"]}', 'Count: 2\nLines:\n  · lamp'],
  [{ path: '/srv/a.ts' }, 'Path: /srv/a.ts'],
  ['{ not JSON }', '{ not JSON }'],
  ['007', '007'],
])("a program's %j is shown as text", (value, text) => {
  expect(readableText(value)).toBe(text);
});

describe('forms', () => {
  const form = {
    type: 'object',
    required: ['branch', 'count'],
    properties: {
      branch: { type: 'string', title: 'Branch', enum: ['main', 'dev'], enumNames: ['Main', 'Develop'] },
      count: { type: 'integer', default: 3 },
      force: { type: 'boolean' },
      notes: { type: 'string', maxLength: 1_000 },
      parts: { type: 'array', items: { oneOf: [{ const: 'a', title: 'Part A' }] } },
    },
  };

  test('a JSON Schema becomes inputs', () => {
    expect(parseForm(form).map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['branch', 'choice', true],
      ['count', 'whole', true],
      ['force', 'flag', false],
      ['notes', 'long', false],
      ['parts', 'choices', false],
    ]);
    expect(parseForm(form)[0]?.options[1]).toEqual({ value: 'dev', label: 'Develop' });
  });

  test('names missing and non-numeric fields, and types the other answers', () => {
    const fields = parseForm(form);
    expect(readForm(fields, { count: '1.5' })).toEqual({ wrong: ['branch', 'count'] });
    expect(readForm(fields, { branch: 'dev', count: '4', force: true, parts: ['a'] })).toEqual({
      answer: { branch: 'dev', count: 4, force: true, parts: ['a'] },
    });
  });

  test.each([undefined, {}, { properties: 7 }, { properties: { a: null } }])(
    '%j is no reason to fail',
    (odd) => {
      expect(() => parseForm(odd)).not.toThrow();
    },
  );
});

test('formats times and counts in readable units', () => {
  const now = 1_000_000_000;
  const said = [5_000, 180_000, 7_200_000, 259_200_000].map((ms) => relative(now - ms, now, en));
  expect(said).toEqual(['now', '3 min ago', '2 h ago', '3 d ago']);
  expect(relative(now + 180_000, now, de)).toBe('in 3 Min.');
  expect([850, 12_400, 200_000, 1_200_000].map(shortCount)).toEqual(['850', '12.4 k', '200 k', '1.2 M']);
});

test.each([
  ['4', ['4']],
  [{ count_before: 0, added: 2 }, ['Count before: 0', 'Added: 2']],
  [
    { lines: [{ name: 'Lamp', price: '49 €' }, 'tea'], isOpen: true },
    ['Lines:', '  · Name: Lamp', '    Price: 49 €', '  · tea', 'Is open: true'],
  ],
  [[], []],
  [null, ['null']],
])('the result %j is shown as lines', (result, lines) => {
  expect(valueLines(result)).toEqual(lines);
});

const GERMAN_AS_ENGLISH = [
  'app',
  'nav.tabs',
  'link.live',
  'link.agent',
  'list.name',
  'session.plan',
  'launch.agent',
  'launch.name',
  'demo.title',
  'help.words.0.0',
  'help.words.3.0',
  'devices.passkeys',
  'audit.filters',
  'settings.themes.system',
  'tabs.title',
  'webhooks.title',
  'model.providers.anthropic',
  'model.providers.openai',
  'model.providers.google',
  'time.in',
];

test('German leaves nothing in English', () => {
  expect(alikeIn(en, de)).toEqual(GERMAN_AS_ENGLISH);
});

test('each action of the audit log has a name and a sentence', () => {
  const of = (name: string): string => name;
  for (const { audit } of [en, de]) {
    expect(Object.keys(audit.entries).toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
    for (const [action, { name, says }] of Object.entries(audit.entries)) {
      expect(name, action).toMatch(/^\p{Lu}/u);
      expect(says({ who: 'Desk', of }), action).toMatch(/^.* .*\.$/);
    }
  }
});
