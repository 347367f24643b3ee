import { bytesAsText } from './encoded-token.ts';
import { foldText } from './folded-text.ts';

export const MASK = '•••';

/** Shorter values are never masked: a month "12" would hide the prices of a page. */
export const SHORTEST = 3;
/** From this length on, a value is also found inside other words. */
const SHORTEST_INSIDE = 4;
/** Shorter numbers occur in order numbers and prices by chance, so they are masked as whole numbers only. */
const SHORTEST_NUMBER_INSIDE = 8;
/** From this length on, a number may have dots between any of its digits. */
const SHORTEST_DOTTED = 6;
const LONGEST_NUMBER = 40;
/** Longer values are matched in pieces, because a page may show a part of them. */
const PIECE = 64;

/** Masks cover the whole unit, so that their edges reveal nothing. */
const WORD = /[\p{L}\p{N}\ud800-\udfff]/u;
/** The unit while a secret with symbols is known. */
const CHUNK = /[^\s"'`<>]/u;
const LETTERS = /^\p{L}+$/u;
const SEQUENCE = /\d+(?:[\s.,'’_+\-\u2010-\u2015]{1,2}\d+)*/gu;
const ENCODED = /[A-Za-z0-9+_-]{4,}={0,2}/g;
const HAS_ESCAPE = /[%&\\]/;
const ELLIPSIS = /…|\.\.\./g;

export type Range = readonly [start: number, end: number];

/** A text with its echoes masked, and the parts that the masks cover. */
export interface Masked {
  readonly text: string;
  readonly hidden: readonly string[];
}

/** The values to mask. */
export interface Echoes {
  readonly words: RegExp | undefined;
  /** As typed, for a value that looks like an escape or becomes one with the text before it ("%" and "aaaa"). */
  readonly literals: RegExp | undefined;
  /** Whole values, for texts that are cut off with "…". */
  readonly whole: readonly string[];
  /** Numbers of less than eight digits. */
  readonly codes: ReadonlySet<string>;
  readonly numbers: readonly string[];
  readonly kinds: ReadonlySet<Kind>;
  /** Words count as whole words only, and a mask covers nothing beside them. */
  readonly isWhole: boolean;
}

/**
 * Kinds of values: `letters` when a part is a word of letters alone, `symbols` when one has other characters.
 */
export type Kind = 'code' | 'number' | 'word' | 'letters' | 'symbols';

/** The digits of a number in any grouping. */
const digitsOf = (value: string): string | undefined => {
  const digits = value.replace(/[\s.-]/g, '');
  return /^\d+$/.test(digits) ? digits : undefined;
};

/** With `isWhole`, words are found as short numbers are: as whole ones only. */
export function echoesOf(values: readonly string[], isWhole = false): Echoes {
  const folded = [...new Set(values.map((value) => foldText(value).text.trim()))];
  const numbers = folded.flatMap((value) => digitsOf(value) ?? []).filter(isLongEnough);
  const words = folded.filter((value) => digitsOf(value) === undefined && isLongEnough(value));
  const pieces = words.flatMap(piecesOf).sort((one, other) => other.length - one.length);
  return {
    words: alternatives(pieces, isWhole),
    literals: alternatives(values.filter(isLiteral), isWhole, 'giu'),
    whole: words.filter(({ length }) => length >= SHORTEST_INSIDE),
    codes: new Set(numbers.filter(({ length }) => length < SHORTEST_NUMBER_INSIDE)),
    numbers: numbers.filter(({ length }) => length >= SHORTEST_NUMBER_INSIDE),
    isWhole,
    kinds: new Set([...numbers.map(({ length }) => kindOfNumber(length)), ...words.flatMap(kindsOfWord)]),
  };
}

const kindOfNumber = (length: number): Kind => (length < SHORTEST_NUMBER_INSIDE ? 'code' : 'number');

function kindsOfWord(word: string): Kind[] {
  const parts = word.split(' ');
  const hasLetters = parts.some((part) => LETTERS.test(part));
  const hasSymbols = parts.some((part) => [...part].some((character) => !WORD.test(character)));
  return [
    'word',
    ...(hasLetters ? (['letters'] as const) : []),
    ...(hasSymbols ? (['symbols'] as const) : []),
  ];
}

const isLiteral = (value: string): boolean =>
  value.length >= SHORTEST_INSIDE && digitsOf(value) === undefined && /[%&\\]|^[\da-z]/i.test(value);

const alternatives = (pieces: readonly string[], isWhole: boolean, flags = 'gu'): RegExp | undefined =>
  pieces.length === 0
    ? undefined
    : new RegExp(pieces.map((piece) => patternOf(piece, isWhole)).join('|'), flags);

const isLongEnough = ({ length }: string): boolean => length >= SHORTEST;

function piecesOf(word: string): string[] {
  const starts = [...word].flatMap((_, index) => (index % PIECE === 0 ? index : []));
  const pieces = starts.map((start) => word.slice(start, start + PIECE));
  return pieces.filter((piece, index) => index === 0 || piece.length >= SHORTEST_INSIDE);
}

function patternOf(piece: string, isWhole: boolean): string {
  const literal = piece
    .split(/ +/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('[ +]+');
  return isWhole || piece.length < SHORTEST_INSIDE
    ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`
    : literal;
}

/**
 * Masks echoes of the values: as typed, in the encodings of addresses, JSON, HTML, Markdown, base64 and
 * hexadecimal, in any case, with invisible characters, and their beginning in a text that is cut off with
 * "…". Folded texts in `spared` are not masked: an agent knows its own words, and a mask would confirm a
 * guess.
 */
export function maskEchoes(text: string, echoes: Echoes, spared: readonly string[] = []): string {
  return maskParts(text, echoes, { spared }).text;
}

/** Echoes within a range of `kept` stay as they are. */
export function maskParts(
  text: string,
  echoes: Echoes,
  { spared = [], kept = [] }: { readonly spared?: readonly string[]; readonly kept?: readonly Range[] } = {},
): Masked {
  const found = [
    ...rangesIn(text, echoes, spared),
    ...encodedIn(text, echoes, spared),
    ...(HAS_ESCAPE.test(text) ? literalsIn(text, echoes, spared) : []),
  ];
  const ranges = unspared(found, () => kept);
  if (ranges.length === 0) return { text, hidden: [] };
  const hidden: string[] = [];
  let result = '';
  let done = 0;
  for (const [start, end] of joined(ranges, text)) {
    result += text.slice(done, start) + MASK;
    hidden.push(text.slice(start, end));
    done = end;
  }
  return { text: result + text.slice(done), hidden };
}

const unspared = (ranges: readonly Range[], spare: () => readonly Range[]): Range[] => {
  if (ranges.length === 0) return [];
  const kept = spare();
  return ranges.filter(([start, end]) => !kept.some(([from, to]) => from <= start && end <= to));
};

/** Values in the text as it stands, where a character before them would make their beginning an escape. */
function literalsIn(text: string, echoes: Echoes, spared: readonly string[]): Range[] {
  const found = [...matchesIn(text, echoes.literals), ...numbersIn(text, echoes, spared)];
  return unspared(found, () => sparedIn(text.toLowerCase(), spared));
}

function sparedIn(text: string, spared: readonly string[]): Range[] {
  const cuts = spared.length === 0 ? [] : [...text.matchAll(ELLIPSIS)];
  return spared.flatMap((own) => {
    if (own.length < SHORTEST) return [];
    const ranges: Range[] = [];
    for (let at = text.indexOf(own); at !== -1; at = text.indexOf(own, at + 1))
      ranges.push([at, at + own.length]);
    for (const { index } of cuts) {
      const length = cutLength(text.slice(0, index), own);
      if (length > 0) ranges.push([index - length, index]);
    }
    return ranges;
  });
}

function joined(ranges: readonly Range[], text: string): Range[] {
  const sorted = [...ranges].sort(([one], [other]) => one - other);
  const result: Range[] = [];
  for (const [start, end] of sorted) {
    const last = result.at(-1);
    if (last !== undefined && /^[ \u00a0]*$/.test(text.slice(last[1], start)))
      result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}

function rangesIn(text: string, echoes: Echoes, spared: readonly string[]): Range[] {
  const folded = foldText(text);
  const unit = unitOf(echoes);
  const grown = ([start, end]: Range): Range =>
    echoes.isWhole
      ? [start, end]
      : [startOfUnit(folded.text, start, unit), endOfUnit(folded.text, end, unit)];
  let known: readonly Range[] | undefined;
  const spare = (): readonly Range[] => {
    known ??= sparedIn(folded.text, spared);
    return known;
  };
  const words = [...matchesIn(folded.text, echoes.words), ...cutsIn(folded.text, echoes)];
  return [
    ...unspared(words, spare).map(grown),
    ...unspared(numbersIn(folded.text, echoes, spared), spare),
  ].map(([start, end]) => folded.rangeOf(start, end));
}

const unitOf = ({ kinds }: Echoes): RegExp => (kinds.has('symbols') ? CHUNK : WORD);

function startOfUnit(text: string, from: number, unit: RegExp): number {
  let start = from;
  while (start > 0 && unit.test(text.charAt(start - 1))) start--;
  return start;
}

function endOfUnit(text: string, from: number, unit: RegExp): number {
  let end = from;
  while (end < text.length && unit.test(text.charAt(end))) end++;
  return end;
}

function matchesIn(text: string, pattern: RegExp | undefined): Range[] {
  if (pattern === undefined) return [];
  const ranges: Range[] = [];
  pattern.lastIndex = 0;
  // Continues at the next character, because values may overlap.
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    ranges.push([match.index, match.index + match[0].length]);
    pattern.lastIndex = match.index + 1;
  }
  return ranges;
}

function cutsIn(text: string, echoes: Echoes): Range[] {
  if (!echoes.kinds.has('word')) return [];
  return [...text.matchAll(ELLIPSIS)].flatMap(({ index }): Range[] => {
    const longest = Math.max(0, ...echoes.whole.map((value) => cutLength(text.slice(0, index), value)));
    return longest > 0 ? [[index - longest, index]] : [];
  });
}

/** Length of the value's beginning at the end of the text. */
function cutLength(before: string, value: string): number {
  for (let length = Math.min(before.length, value.length); length >= SHORTEST_INSIDE; length--)
    if (before.endsWith(value.slice(0, length))) return length;
  return 0;
}

interface Group {
  readonly digits: string;
  readonly range: Range;
  /** Without its first or its last run of digits. */
  readonly less: readonly string[];
}

function numbersIn(text: string, echoes: Echoes, spared: readonly string[]): Range[] {
  const { codes, numbers, kinds } = echoes;
  if (!kinds.has('code') && !kinds.has('number')) return [];
  const own = new Set(spared.flatMap((each) => digitsOf(each) ?? []));
  const isLooked = ({ digits, less }: Group): boolean => {
    if (own.has(digits)) return false;
    if (codes.has(digits)) return true;
    // When fewer runs of digits contain the number, only those are masked.
    const has = (part: string) => numbers.some((number) => part.includes(number));
    return has(digits) && !less.some(has);
  };
  return [...text.matchAll(SEQUENCE)].flatMap(({ 0: sequence, index }) =>
    groupsIn(sequence, index).flatMap((group) => (isLooked(group) ? [group.range] : [])),
  );
}

/** Adjacent runs of digits that can be read as one number, with their ranges. */
function groupsIn(sequence: string, at: number): Group[] {
  const runs = [...sequence.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, index }));
  const gapAfter = (place: number): string => {
    const { index = 0, digits = '' } = runs[place] ?? {};
    return sequence.slice(index + digits.length, runs[place + 1]?.index);
  };
  const isPart = (run: number, gap: number): boolean =>
    /^[.,]$/.test(gapAfter(gap)) && (runs[run]?.digits.length ?? SHORTEST_INSIDE) < SHORTEST_INSIDE;
  return runs.flatMap(({ index, digits: { length } }, first) => {
    const groups: Group[] = [];
    let digits = '';
    for (let last = first; last < runs.length; last++) {
      const run = runs[last];
      digits += run?.digits ?? '';
      if (run === undefined || (last > first && digits.length > LONGEST_NUMBER)) break;
      const gaps = Array.from({ length: last - first }, (_, place) => gapAfter(first + place));
      // "4.07" is a price, "2,846" a grouped number, "2.8.4.6" single digits.
      const isPrice =
        digits.length < SHORTEST_DOTTED &&
        gaps.some((gap, place) => /^[.,]$/.test(gap) && runs[first + place + 1]?.digits.length !== 3) &&
        digits.length > gaps.length + 1;
      const isInside = isPart(last + 1, last) || (first > 0 && isPart(first - 1, first - 1));
      if (digits.length < SHORTEST || isPrice || (isInside && digits.length < SHORTEST_NUMBER_INSIDE))
        continue;
      groups.push({
        digits,
        range: [at + index, at + run.index + run.digits.length],
        less: last > first ? [digits.slice(length), digits.slice(0, -run.digits.length)] : [],
      });
    }
    return groups;
  });
}

/** Tokens that contain one of the values after decoding. */
function encodedIn(text: string, echoes: Echoes, spared: readonly string[]): Range[] {
  const found = [...text.matchAll(ENCODED)].flatMap(({ 0: token, index }): Range[] =>
    bytesAsText(token).some((inner) => rangesIn(inner, echoes, spared).length > 0)
      ? [[index, index + token.length]]
      : [],
  );
  return unspared(found, () => sparedIn(text.toLowerCase(), spared));
}
