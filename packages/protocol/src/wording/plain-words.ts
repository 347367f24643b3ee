import { CONFUSABLES, STAND_INS } from './confusables.ts';

/** A text as a person reads it, in each way that letters can be hidden from a program. */
export function readingsOf(text: string): string[] {
  const letters = plainLetters(text);
  const split = splitCamelCase(letters);
  const readings = [letters, split, joinSpaced(letters), withoutStandIns(letters)];
  // U+202E draws what follows from right to left.
  if (text.includes('\u202E')) readings.push([...letters].reverse().join(''));
  return [...new Set(readings.map(foldLetters))];
}

/** One letter for all that look like it, in lower case: the table of stems is folded by the same function. */
export function foldLetters(text: string): string {
  let folded = '';
  for (const letter of text.toLowerCase()) folded += LATIN.get(letter) ?? letter;
  return folded;
}

/** Without marks above and below, and without what has no shape at all; letters of another width as plain ones. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{Mn}\p{Me}]/gu, '')
    .replace(SHAPELESS, '')
    .normalize('NFC');
}

/** Format and filler characters and soft hyphens: nobody sees them. Variation selectors are marks. */
const SHAPELESS = /[\p{Cf}\u115F\u1160\u3164\uFFA0]/gu;

function splitCamelCase(text: string): string {
  return text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
}

/** `P A Y` and `p.a.y` are one word. */
function joinSpaced(text: string): string {
  return text.replace(/(?<!\p{L})\p{L}(?:[\s.·•_*-]\p{L}(?!\p{L})){2,}/gu, (spaced) =>
    spaced.replace(/\P{L}/gu, ''),
  );
}

/** A capital I after a small letter is drawn as an l. */
function withoutStandIns(text: string): string {
  return text.replace(/(?<=\p{Ll})I(?=\p{Ll})/gu, 'l').replace(STAND_IN, (sign) => STAND_INS[sign] ?? sign);
}

const STAND_IN = /(?<=\p{L})[01353@$|!](?=\p{L})|(?<!\S)[05$](?=\p{L}{2})/gu;

const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(CONFUSABLES).flatMap(([letter, alike]) =>
    [...alike.toLowerCase()].map((each) => [each, letter] as const),
  ),
);
