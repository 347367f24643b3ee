import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { echoesOf, MASK, maskEchoes } from './echo-mask.ts';
import { foldText } from './folded-text.ts';

const masked = (text: string, ...values: string[]): string => maskEchoes(text, echoesOf(values));

describe('a short number is masked as a whole number', () => {
  test.each([
    ['CVC 123 accepted', 'CVC ••• accepted'],
    ['?cvc=123&x=1', '?cvc=•••&x=1'],
    ['a%20123', 'a%20•••'],
    ['4242,123', '4242,•••'],
    ['#p-123', '#p-•••'],
    ['123Copy', '•••Copy'],
    ['1 2 3', '•••'],
    ['1\n2\n3', '•••'],
    ['1\u00ad2\u200b3', '•••'],
    ['１２３', '•••'],
    ['١٢٣', '•••'],
    ['&#49;&#x32;3', '•••'],
    ['%31%32%33', '•••'],
    ['MTIz', '•••'],
    ['313233', '•••'],
  ])('%s → %s', (text, shown) => expect(masked(text, '123')).toBe(shown));

  test.each(['1234', '1,123', '123.45', '10.0.123', '12', '1.23', '12,3'])('%s stays', (text) =>
    expect(masked(text, '123')).toBe(text),
  );

  test.each(['2,846', '2.846', '2 846', '28 46', '2-8-4-6', '2846Copy', 'x2846'])(
    '2846 is found in %s',
    (text) => expect(masked(text, '2846')).not.toMatch(/\d/),
  );
});

test.each([
  ['4242424242424242', 'Card 4242 4242 4242 4242 was charged', 'Card ••• was charged'],
  ['4242 4242 4242 4242', 'x4242424242424242x', 'x•••x'],
  ['482913', 'Code 482 913', 'Code •••'],
  ['12/27', 'until 12%2F27', 'until •••'],
  ['kestrel', 'Kestrels', '•••'],
  ['kestrel7Qx', 'k\u00adestrel7Qx', '•••'],
  ['kestrel7Qx', 'ｋｅｓｔｒｅｌ７Ｑｘ', '•••'],
  ['kestrel7Qx', '\\u006bestrel7Qx &#x6b;estrel7Qx', '•••'],
  ['kestrel7Qx', 'in a2VzdHJlbDdReA== and 6b65737472656c375178', 'in ••• and •••'],
  ['kestrel7Qx', 'kest… and kestrel...', '•••… and •••...'],
  ['kestrel7Qx', 'k%C2%ADe%C2%ADs%C2%ADt%C2%…', '•••%C2%…'],
  ['12', 'page 12', 'page 12'],
])('%s in %s', (value, text, shown) => expect(masked(text, value)).toBe(shown));

test('masks overlapping values as one', () => {
  expect(masked('pw: kestrel7', 'kestrel7', 'pw: k')).toBe('•••');
});

test.each([
  ['aaaa', '%aaaa', '%•••'],
  ['Feed77', 'is %feed77 now', 'is %••• now'],
  ['41234567', '100%41234567', '100%•••'],
  ['731', '%731', '%•••'],
  ['rt54', '\\rt54', '\\•••'],
])('%s is masked in %s, where its beginning reads as an escape', (value, text, shown) =>
  expect(masked(text, value)).toBe(shown),
);

test('masks a value completely, whatever surrounds it', () => {
  const value = fc.string({ minLength: 4, maxLength: 20, unit: fc.constantFrom(...'abcxyz!&%/ ') });
  fc.assert(
    fc.property(value, fc.string(), fc.string(), (secret, before, after) => {
      const tidy = secret.trim();
      fc.pre(tidy.length >= 4);
      return !masked(`${before}${tidy}${after}`, tidy).includes(tidy);
    }),
  );
});

const agentWho = (text: string): string[] => [foldText(text).text];

/** Encodings of a guess that disguise it. */
const DISGUISES: Readonly<Record<string, (guess: string) => string>> = {
  plain: (guess) => guess,
  'soft hyphens': (guess) => [...guess].join('\u00ad'),
  'zero width': (guess) => [...guess].join('\u200b'),
  capitals: (guess) => guess.toUpperCase(),
  'full width': (guess) =>
    guess.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
  spaces: (guess) => [...guess].join(' '),
  dashes: (guess) => [...guess].join('-'),
  commas: (guess) => guess.replace(/\B(?=(?:\d{3})+$)/g, ','),
  percent: (guess) => [...guess].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
  'HTML numbers': (guess) => [...guess].map((character) => `&#${character.charCodeAt(0)};`).join(''),
  base64: (guess) => Buffer.from(guess).toString('base64'),
  hexadecimal: (guess) => Buffer.from(guess).toString('hex'),
  'runs on': (guess) => `${guess}Copy`,
  'runs in': (guess) => `pre${guess}`,
  'cut off': (guess) => `${guess}…`,
  'half, cut off': (guess) => `${guess.slice(0, 5)}…`,
  'in a list': (guess) => `100 ${guess} 999 abc1 ${guess}`,
  'in an address': (guess) => `https://a.example/x?p=${guess}&q=1`,
};

const SHAPES = [
  { kind: 'a CVC', right: '407', wrong: ['815', '299', '540'] },
  { kind: 'a PIN', right: '2846', wrong: ['9152', '1730', '6604'] },
  { kind: 'a one-time code', right: '482913', wrong: ['917350', '204866', '555012'] },
  { kind: 'a password', right: 'kestrel7Qx', wrong: ['walrus4Zyu', 'badger9Tkw', 'osprey31Lm'] },
  { kind: 'a password of letters', right: 'sunshine', wrong: ['moonbeam', 'starfish', 'rainfall'] },
  { kind: 'a password with symbols', right: 'p@ss-w0rd!', wrong: ['q@tt-v1sh!', 'z@kk-b9rn!', 'x@ll-m3nt!'] },
  { kind: 'a card', right: '4242424242424242', wrong: ['5105105105105100', '4111111111111111'] },
];

describe.each(SHAPES)('guesses at $kind look alike, right or wrong', ({ right, wrong }) => {
  test.each(Object.entries(DISGUISES))('%s', (_, disguise) => {
    const answer = (guess: string) => {
      const supplied = agentWho(disguise(guess));
      const shown = `Results for ${disguise(guess)} here.`;
      return maskEchoes(shown, echoesOf([right]), supplied).replaceAll(disguise(guess), '{}');
    };
    for (const guess of wrong) expect(answer(guess)).toBe(answer(right));
  });

  test('also when the agent wrote them plainly and the page encodes them', () => {
    for (const disguise of Object.values(DISGUISES)) {
      const answer = (guess: string) =>
        maskEchoes(`So: ${disguise(guess)} .`, echoesOf([right]), agentWho(guess)).replaceAll(
          disguise(guess),
          '{}',
        );
      for (const guess of wrong) expect(answer(guess)).toBe(answer(right));
    }
  });
});

test("an agent's text with a part of a secret does not change the mask", () => {
  const shown = 'You typed kestrel7Qx at #p=kestrel7Qx there.';
  const answers = [
    'typed kes',
    'p=kes',
    'kest',
    'kestrel',
    'estrel7',
    'typed wal',
    'p=wal',
    'walr',
    'alrus4',
  ].map((part) => maskEchoes(shown, echoesOf(['kestrel7Qx']), agentWho(part)));
  expect(new Set(answers).size).toBe(1);
});

test("an agent's own words stay readable, whole, cut off or in a list, also beside a secret", () => {
  const echoes = echoesOf(['10115', 'kestrel7Qx']);
  const own = (text: string) => maskEchoes(text, echoes, agentWho('Postcode 10115, kestrel7Qx'));
  expect(own('Postcode 10115, kestrel7Qx')).toBe('Postcode 10115, kestrel7Qx');
  expect(own('Postcode 10115, kest…')).toBe('Postcode 10115, kest…');
  expect(own('You: 10115')).toBe(`You: ${MASK}`);
});
