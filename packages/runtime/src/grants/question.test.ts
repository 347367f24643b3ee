import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AskedContent, AskedField } from './asked-content.ts';
import { sameContent } from './asked-content.ts';
import { changesOf, dataOf, sentenceOf, shownOf } from './question.ts';

const secret = { submits: true, sensitive: true, secret: true };
const plain = { ...secret, secret: false };

test('[BRG-128] does not show text that goes into a secret field', () => {
  expect(dataOf({ id: '1', text: 'hunter2' }, secret)).toEqual(['"id": "1"', '"text": •••']);
  expect(dataOf({ keys: ['h', 'u', 'Enter'] }, secret)).toEqual([
    '"keys"."0": •••',
    '"keys"."1": •••',
    '"keys"."2": "Enter"',
  ]);
  expect(dataOf({ keys: 'h', text: 'x' }, plain)).toEqual(['"keys": "h"', '"text": "x"']);
});

test('finding 8: keeps each name and value on one line in quotes', () => {
  const forged = 'note\nThis can be undone.\nWhere: https://bank.example\n· "amount';
  expect(dataOf({ [forged]: 'a\u2028b\u202Ec"d', n: 2, ok: true, none: null, empty: {} })).toEqual([
    '"note This can be undone. Where: https://bank.example · \\"amount": "a b c\\"d"',
    ...['"n": 2', '"ok": true', '"none": null', '"empty": {}'],
  ]);
});

/** Characters that a line of a question must not hold: breaks, controls, format characters, invisible ones. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\n\r]/u;
const NAMED = /^"(?:[^"\\]|\\["\\])*"(?:\."(?:[^"\\]|\\["\\])*")*: (?:"(?:[^"\\]|\\["\\])*"|[^"]*)$/u;
const odd = fc.constantFrom(
  '\n',
  '\r\n',
  '\u2028',
  '\u202E',
  '\u200B',
  '\\',
  '"',
  '": "',
  '· ',
  '\u3164',
  '\uD800',
);
const word = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(odd, fc.string()), { maxLength: 6 }).map((parts) => parts.join('')),
);
const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));

test('finding 8: has one line per argument, each starting with a quoted name', () => {
  fc.assert(
    fc.property(fc.dictionary(word, leaf, { maxKeys: 12, noNullPrototype: true }), (args) => {
      const lines = dataOf(args);
      expect(lines).toHaveLength(Object.keys(args).length);
      for (const line of lines) {
        expect(line).toMatch(NAMED);
        expect(line).not.toMatch(UNSEEN);
        expect(line.length).toBeLessThan(450);
      }
    }),
    { numRuns: 300 },
  );
});

test('finding 8: a label cannot close its quotes or begin a line', () => {
  fc.assert(
    fc.property(word, (label) => {
      const sentence = sentenceOf('element.click', 'https://shop.example', 'irreversible', {
        ...plain,
        label,
      });
      expect(sentence).not.toMatch(UNSEEN);
      expect(sentence).toMatch(
        /^element\.click on “[^“”]*” at https:\/\/shop\.example\. This can’t be undone\.$/u,
      );
    }),
  );
});

test('shows the beginning, the end and the decisive words of a long text', () => {
  const filler = 'and more of the same '.repeat(20);
  const on = (label: string) =>
    sentenceOf('element.click', 'https://shop.example', 'irreversible', { ...plain, label });
  expect(on(`Show the details ${filler}and pay 5000 to Mallory now`)).toMatch(
    /“Show the details .* … .*and pay 5000 to Mallory now”/,
  );
  expect(on(`Show the details ${filler}pay 5000 to Mallory ${filler}`)).toMatch(
    /“Show the details .* … .*pay 5000 to Mallory.* … .*”/,
  );
  const text = `Dear all, ${filler}I quit.`;
  expect(dataOf({ text })).toEqual([
    expect.stringMatching(
      new RegExp(`^"text": "Dear all, .* … .*I quit\\." \\(${text.length} characters\\)$`),
    ),
  ]);
});

test('shows line breaks of typed text', () => {
  expect(dataOf({ text: 'hello\nI quit\r\nbye\n' })).toEqual(['"text": "hello ⏎ I quit ⏎ bye ⏎"']);
});

test('shows fields for recipient and amount before others', () => {
  const others = Array.from({ length: 20 }, (_, at) => ({ name: `Note ${at}`, value: 'x', shown: true }));
  const payee = { name: 'IBAN', value: 'DE00', shown: true };
  const { sends = [] } = shownOf({ ...content, fields: [...others, payee] });
  expect(sends).toHaveLength(13);
  expect(sends[0]).toBe('"IBAN": "DE00"');
  expect(sends.at(-1)).toBe('and 9 more');
});

const content: AskedContent = {
  url: 'https://pay.example/charge?order=7',
  method: 'post',
  fields: [
    { name: 'Quantity', value: '2', shown: true },
    { name: 'account', value: 'shop', shown: false, hidden: true },
    { name: 'CVC', value: '•••', token: 'abc', shown: true },
  ],
  amounts: ['Total 49.00 €'],
  text: 'Total 49.00 €\nOffer ends in 04:59\nAppointment at 12:30',
};

test('leaves out hidden one-time values and fields beside the form', () => {
  const fields = [
    { name: 'csrf', value: 'a1', shown: false, hidden: true as const },
    { name: 'cents', value: '940.00 €', shown: false, hidden: true as const },
    { name: 'payeeId', value: 'mallory', shown: false, hidden: true as const },
    { name: 'account', value: 'x', shown: false },
  ];
  expect(shownOf({ ...content, fields }).sends).toEqual([
    '"payeeId" (hidden): "mallory"',
    '"cents" (hidden): "940.00 €"',
  ]);
});

test('lists goods that no line with an amount names', () => {
  const goods = ['2 × Arc lamp', '3 × Bulb'];
  expect(shownOf({ ...content, amounts: ['2 × Arc lamp 98 €'], goods }).goods).toEqual(['3 × Bulb']);
});

test('finding 6: shows the destination, the amounts and the visible fields', () => {
  expect(shownOf(content)).toEqual({
    destination: 'https://pay.example/charge?order=7',
    amounts: ['Total 49.00 €'],
    sends: ['"Quantity": "2"', '"account" (hidden): "shop"', '"CVC": •••'],
  });
  const pay = (query: string) => shownOf({ ...content, url: `https://pay.example/?${query}` }).destination;
  expect(pay(`note=${'x'.repeat(200)}&to=Anna%26amount%3D1&csrf=a1&token=90+€`)).toBe(
    `https://pay.example/?to=Anna%26amount%3D1&note=${'x'.repeat(40)}…${'x'.repeat(16)}&csrf=•••&token=90+€`,
  );
  expect(shownOf({ ...content, url: 'mailto:a@b.example' }).destination).toBe('mailto:a@b.example');
  expect(shownOf({ ...content, url: 'javascript:pay()' }).destination).toBeUndefined();
  expect(shownOf({ ...content, url: 'https://xn--pypal-4ve.example/' }).destination).toBe(
    'https://xn--pypal-4ve.example',
  );
});

test.each<[what: string, now: Partial<AskedContent>, elapsedMs: number, same: boolean]>([
  ['nothing', {}, 0, true],
  ['a countdown', { text: content.text.replace('04:59', '04:31') }, 28_000, true],
  ['a time that jumped', { text: content.text.replace('12:30', '18:30') }, 28_000, false],
  ['an amount', { amounts: ['Total 490.00 €'] }, 28_000, false],
  ['the destination', { url: 'https://pay.example/charge?order=8' }, 0, false],
  ['the method', { method: 'get' }, 0, false],
  ['a secret', { fields: content.fields.map((field) => ({ ...field, token: 'other' })) }, 0, false],
  ['a field that is gone', { fields: content.fields.slice(1) }, 0, false],
  ['a word', { text: content.text.replace('Offer', 'Order') }, 0, false],
])('finding 6: %s differs', (_, now, elapsedMs, same) => {
  expect(sameContent(content, { ...content, ...now }, elapsedMs)).toBe(same);
});

const HIDDEN_ACCOUNT: AskedField = { name: 'account', value: 'mallory', shown: false, hidden: true };

test('finding 6: shows both versions side by side, without secrets', () => {
  const now = {
    ...content,
    url: 'https://mallory.example/',
    fields: [...content.fields.slice(0, 1), HIDDEN_ACCOUNT].concat({
      ...{ name: 'CVC', value: '•••', token: 'xyz', shown: true },
    }),
  };
  expect(
    changesOf({ ...plain, label: 'Pay 49 €', content }, { ...plain, label: 'Pay 490 €', content: now }),
  ).toEqual({
    before: [
      '“Pay 49 €”',
      'POST https://pay.example/charge?order=7',
      '"account" (hidden): "shop"',
      '"CVC": •••',
    ],
    now: [
      '“Pay 490 €”',
      'POST https://mallory.example/',
      '"account" (hidden): "mallory"',
      '"CVC": ••• (another value)',
    ],
  });
  const text = content.text.replace('Offer', 'Order');
  expect(changesOf({ ...plain, content }, { ...plain, content: { ...content, text } })).toEqual({
    before: ['"Total 49.00 € Offer ends in 04:59 Appointment at 12:30"'],
    now: ['"Total 49.00 € Order ends in 04:59 Appointment at 12:30"'],
  });
});
