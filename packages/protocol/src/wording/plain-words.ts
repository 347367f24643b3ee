import { ALIKE, CONFUSABLES, STAND_INS } from './confusables.ts';

/** The readings of a text by a person, for each way to hide letters from a program. */
export function readingsOf(text: string): string[] {
  const letters = plainLetters(text);
  const split = splitCamelCase(letters);
  const readings = [
    letters,
    split,
    joinSpaced(letters),
    withoutStandIns(letters),
    withLatinCapitals(letters),
    ...splitSpaced(letters),
  ];
  // U+202E displays the following text from right to left.
  if (text.includes('\u202E')) readings.push([...letters].reverse().join(''));
  return [...new Set(readings.map(foldLetters))];
}

/** One letter for all that look like it, in lower case; the stems are folded by the same function. */
export function foldLetters(text: string): string {
  let folded = '';
  for (const letter of text.toLowerCase()) folded += LATIN.get(letter) ?? letter;
  return folded;
}

/** Removes marks and invisible characters, and normalizes letters of another width. */
export function plainLetters(text: string): string {
  return text
    .replace(BOXED, boxedLetter)
    .normalize('NFKD')
    .replace(/[\p{Mn}\p{Me}]/gu, '')
    .replace(SHAPELESS, '')
    .normalize('NFC');
}

/** Format and filler characters and soft hyphens, which are invisible. Variation selectors are marks. */
const SHAPELESS = /[\p{Cf}\u115F\u1160\u3164\uFFA0]/gu;

/** Letters on a dark ground, and the regional indicators of flags, which NFKD keeps. */
const BOXED = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}\u{1F1E6}-\u{1F1FF}]/gu;

function boxedLetter(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const first = [0x1f1e6, 0x1f170, 0x1f150].find((each) => each <= code) ?? code;
  return String.fromCharCode(65 + code - first);
}

function splitCamelCase(text: string): string {
  return text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
}

/** `P A Y` and `p.a.y` are one word. */
function joinSpaced(text: string): string {
  return text.replace(SPACED, (spaced) => spaced.replace(/\P{L}/gu, ''));
}

const SPACED = /(?<!\p{L})\p{L}(?:[\s.·•_*-]\p{L}(?!\p{L})){2,}/gu;

const LONGEST_SPACED = 40;

/** `P a y n o w` may be two words: the spaces between words are no wider. */
function splitSpaced(text: string): string[] {
  const [spaced = ''] = text.match(SPACED) ?? [];
  const joined = spaced.replace(/\P{L}/gu, '').slice(0, LONGEST_SPACED);
  return [...joined].slice(1).map((_, at) => `${joined.slice(0, at + 1)} ${joined.slice(at + 1)}`);
}

/** A capital I after a small letter looks like an l. */
function withoutStandIns(text: string): string {
  return text.replace(/(?<=\p{Ll})I(?=\p{Ll})/gu, 'l').replace(STAND_IN, (sign) => STAND_INS[sign] ?? sign);
}

const STAND_IN = /(?<=\p{L})[01353@$|!](?=\p{L})|(?<!\S)[05$](?=\p{L}{2})/gu;

/** A capital may resemble another letter than its small form: `Ν` is an N, `ν` a v. */
function withLatinCapitals(text: string): string {
  let latin = '';
  for (const letter of text) latin += EXACT.get(letter) ?? letter;
  return latin;
}

const rowsOf = (table: Readonly<Record<string, string>>): (readonly [string, string])[] =>
  Object.entries(table).flatMap(([letter, alike]) => [...alike].map((each) => [each, letter] as const));

const EXACT: ReadonlyMap<string, string> = new Map([...rowsOf(CONFUSABLES), ...rowsOf(ALIKE)]);

/** By small letters: stems are folded by it, so a capital must fold like its small form. */
const LATIN: ReadonlyMap<string, string> = new Map([
  ...[...EXACT].map(([each, letter]) => [each.toLowerCase(), letter] as const),
  ...[...EXACT].filter(([each]) => each === each.toLowerCase()),
]);
