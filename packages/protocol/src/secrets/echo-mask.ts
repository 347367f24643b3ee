export const MASK = '•••';

/** Values shorter than this are never masked: a month "12" would take the prices off a page. */
export const SHORTEST = 3;
/** From this length on a value is masked inside other words too. */
const SHORTEST_INSIDE = 4;
/** Shorter numbers occur inside order numbers and prices by chance, so they are masked as whole tokens only. */
const SHORTEST_NUMBER_INSIDE = 8;
/** From this length on a page groups digits: "482 913", "4242 4242 …". */
const SHORTEST_GROUPED = 6;
/** Longer values are matched in pieces, because a pattern for all of one would grow too large. */
const PIECE = 64;

/** A token begins where no letter or digit precedes, or right after an escape: `%20123`, `\n123`. */
const TOKEN_START = String.raw`(?:(?<![\p{L}\p{N}])|(?<=%[\da-f]{2}|\\[nrt]))(?<!(?<!\d)\d{1,3}[.,])`;
const TOKEN_END = String.raw`(?![\p{L}\p{N}])(?![.,]\d{1,3}(?!\d))`;
const SPACE = String.raw`(?:\s|\+|%(?:25)?(?:20|0[9ad])|\\[nrt]|&nbsp;)+`;
const GAP = String.raw`(?:${SPACE}|[-.\u2010-\u2015])?`;

/** A number of three to seven digits that stands alone. */
export const SHORT_NUMBER = new RegExp(`${TOKEN_START}\\d{${SHORTEST},7}${TOKEN_END}`, 'giu');

/** Digits only, however they are grouped. */
export const digitsOf = (value: string): string | undefined => {
  const digits = value.replace(/[\s.-]/g, '');
  return /^\d+$/.test(digits) ? digits : undefined;
};

/** The length of a value that counts as a whole token only because it is a short number. */
export const shortNumberLength = (value: string): number | undefined => {
  const length = digitsOf(value)?.length ?? Number.POSITIVE_INFINITY;
  return length < SHORTEST_NUMBER_INSIDE ? length : undefined;
};

/**
 * Matches each value as typed, as an address, JSON, HTML or Markdown carries it, in any case (a style can change
 * it), and its beginning where a text was cut off with "…".
 */
export function echoPattern(values: readonly string[]): RegExp {
  const longestFirst = [...values].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.flatMap(formsOf).join('|') || '(?!)', 'giu');
}

function formsOf(value: string): string[] {
  const digits = digitsOf(value);
  if (digits !== undefined) {
    const number = [...digits].join(digits.length >= SHORTEST_GROUPED ? GAP : '');
    const isInside = digits.length >= SHORTEST_NUMBER_INSIDE;
    return digits.length < SHORTEST ? [] : [isInside ? number : `${TOKEN_START}${number}${TOKEN_END}`];
  }
  const characters = [...value.replace(/\s+/g, ' ')].map(anyForm);
  if (characters.length < SHORTEST) return [];
  if (characters.length < SHORTEST_INSIDE) return [`${TOKEN_START}${characters.join('')}${TOKEN_END}`];
  const starts = characters.flatMap((_, place) => (place % PIECE === 0 ? place : []));
  const pieces = starts
    .map((start) => characters.slice(start, start + PIECE))
    .filter((piece) => piece.length >= SHORTEST_INSIDE);
  const cut = pieces.map((piece) => {
    const rest = piece
      .slice(SHORTEST_INSIDE)
      .reduceRight((after, character) => `(?:${character}${after})?`, '');
    return `${piece.slice(0, SHORTEST_INSIDE).join('')}${rest}(?=…)`;
  });
  return [...pieces.map((piece) => piece.join('')), ...cut];
}

function anyForm(character: string): string {
  if (/[a-z\d]/i.test(character)) return character;
  if (character === ' ') return SPACE;
  const itself = `\\u{${character.codePointAt(0)?.toString(16)}}`;
  if (!character.isWellFormed()) return itself;
  const bytes = encodeURIComponent(character).split('%').slice(1);
  const encoded = bytes.length > 0 ? bytes : [character.charCodeAt(0).toString(16)];
  return String.raw`(?:\\?${itself}|${encoded.map((byte) => `%(?:25)?${byte}`).join('')}|&#?\w+;)`;
}

/**
 * Replaces every match. Overlapping matches become one mask: otherwise a known value that ends inside another would
 * leave the rest of that one readable.
 */
export function maskEchoes(text: string, pattern: RegExp): string {
  let result = '';
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; ) {
    const start = match.index;
    let end = start + match[0].length;
    let at = start;
    do {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      pattern.lastIndex = at;
      match = pattern.exec(text);
      if (match === null || match.index >= end) break;
      at = match.index;
      end = Math.max(end, at + match[0].length);
    } while (at < end);
    result += text.slice(done, start) + MASK;
    done = end;
  }
  return result + text.slice(done);
}
