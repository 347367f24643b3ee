import { expect, test } from 'vitest';
import { createRandom } from '../../test/wire/mangle.ts';
import { pageText, visibleText } from './visible-text.ts';

/** Real sentences, with the joiners and selectors that their spelling needs. */
const REAL_TEXTS = [
  'می‌خواهم این کتاب‌ها را بخرم؛ نمی‌دانم خانه‌ام کجاست.',
  'السَّلَامُ عَلَيْكُمْ ۝ سورة',
  'क्‍ष और क्‌ष, श्रीमान्‌ जी',
  'ශ්‍රී ලංකා ක්‍රිකට්',
  'র‍্যাব ও ক্‌ষ',
  'അവന്‍ വന്നു',
  'क्षेत्र में स्वागत है',
  '👨‍👩‍👧‍👦 👩🏽‍💻 👩🏽‍❤️‍👨🏿 🏴‍☠️ 👁️‍🗨️ 🏳️‍🌈',
  '❤️ ☎︎ ©️ 1️⃣ #️⃣ 🇩🇪 🇯🇵',
  'naïve café, Zürich, Ελλάδα, Россия, 日本語、中文、한국어, ไทย',
  'a\tb\nc',
];

test.each(REAL_TEXTS)('keeps ordinary text as it is: %s', (text) => {
  expect(visibleText(text)).toBe(text);
});

test.each([
  ['zero-width', 'a\u200bb\u2060c\ufeffd\u00ade', 'abcde'],
  ['bidirectional', 'a\u202eb\u2066c\u2069\u200f\u061cd', 'abcd'],
  ['fillers', 'a\u3164b\u115f\u1160\uffa0c\u034fd', 'abcd'],
  ['tags', 'a\u{e0001}\u{e0069}\u{e0067}\u{e007f}b', 'ab'],
  ['tag flags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '🏴'],
  ['ideographic selectors', '葛\u{e0100}城\ufe00', '葛城'],
  ['selectors on letters', 'a\ufe0fb\ufe0e1\ufe0f', 'ab1'],
  ['surplus selectors', '❤\ufe0f\ufe0e\ufe0f\u{e0120}x', '❤\ufe0fx'],
  ['joiners on letters', 'a\u200db\u200cc', 'abc'],
  ['surplus joiners', 'می\u200c\u200d\u200c\u200cخ', 'می\u200cخ'],
  ['a joiner without effect', 'در\u200cکتاب', 'درکتاب'],
  ['blanks', 'a\u2800b\u2003c\u00a0d\u{1d159}e\u2028f', 'a b c d e\nf'],
  ['controls', 'a\u0000b\u0007c\u009bd\r\ne', 'abcd\ne'],
])('removes %s', (_, text, seen) => {
  expect(visibleText(text)).toBe(seen);
});

test.each([
  '</page>',
  '< / page>',
  '<\u200b/page>',
  '</\u2060page>',
  '<\u{e0020}/pa\ufe0fge>',
  '<PA\u200dGE x>',
])('leaves no mark of a fence in %j', (attack) => {
  expect(pageText(`a${attack}b`)).not.toMatch(/<\s*\/?\s*page/i);
});

const point = (code: number): string => String.fromCodePoint(code);

/**
 * Published ways to hide bytes in text.
 * https://paulbutler.org/2025/smuggling-arbitrary-data-through-an-emoji/
 */
const ENCODERS: Readonly<Record<string, (byte: number) => string>> = {
  tags: (byte) => point(0xe0000 + (byte & 0x7f)),
  selectors: (byte) => point(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16),
  'zero-width bits': (byte) => bits(byte, '\u200b', '\u200c'),
  'joiner bits': (byte) => bits(byte, '\u200c', '\u200d'),
  'presentation bits': (byte) => bits(byte, '\ufe0e', '\ufe0f'),
  'operator bits': (byte) => bits(byte, '\u2062', '\u2064'),
  'direction bits': (byte) => bits(byte, '\u200e', '\u200f'),
  'filler bits': (byte) => bits(byte, '\u3164', '\u115f'),
};
const bits = (byte: number, zero: string, one: string): string =>
  [...byte.toString(2).padStart(8, '0')].map((bit) => (bit === '0' ? zero : one)).join('');

/** Glyphs of scripts without joiners: no hidden character may stay beside them. */
const PLAIN_LETTERS = [...'Pay now 500 €,שלוםΔЖ日本ไทย한'];
/** Glyphs beside which one joiner or selector may stay. */
const JOINING_LETTERS = [...'می‌خ', 'क्', '❤', '👩', '🏽', '1'];

test('a payload in hidden characters cannot be recovered (2,000 random texts)', () => {
  const random = createRandom(27);
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] ?? pick(items);
  for (let round = 0; round < 2_000; round++) {
    const encode = pick(Object.values(ENCODERS));
    const letters = Array.from({ length: 1 + random.below(12) }, () => pick(PLAIN_LETTERS));
    const hide = (carrier: readonly string[]) =>
      carrier.map((letter) => (random.oneIn(2) ? letter : letter + encode(random.below(256)))).join('');
    expect(visibleText(hide(letters))).toBe(letters.join(''));
    const joining = Array.from({ length: 1 + random.below(12) }, () => pick(JOINING_LETTERS));
    const left = visibleText(hide(joining)).match(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu) ?? [];
    // A selector and a ZWJ may follow one emoji: less than two bits beside a visible glyph.
    expect(left.filter((run) => !/^(?:[\ufe0e-\ufe0f]?\u200d?|\u200c)$/.test(run))).toEqual([]);
  }
});

test('a text designed to be slow is still read', () => {
  for (const part of ['<', '< ', '\u200d', '❤\ufe0f\u200d', 'ی\u0650', '\u{e0061}'])
    expect(pageText(part.repeat(200_000 / part.length))).toBeTypeOf('string');
  const gap = `<${' '.repeat(200_000)}`;
  expect(pageText(gap)).toBe(gap);
});
