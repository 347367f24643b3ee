import { HARMLESS_PHRASES } from './harmless-phrases.ts';
import { foldLetters, plainLetters, readingsOf } from './plain-words.ts';

/** Whether a text announces a payment, a message, a deletion or another commitment. */
export type CommitMatcher = (text: string) => boolean;

/**
 * Stems of alphabetic scripts match whole words. `*` at the end of a stem is any ending, `#` an amount, `…`
 * up to three words, `^` and `$` the ends of the text. Chinese, Japanese and Thai have no spaces, so their
 * stems match anywhere.
 *
 * Matches word by word: a single expression with 500 stems and Unicode classes takes seconds to compile.
 */
export function createCommitMatcher(
  stems: readonly string[],
  harmless: readonly string[] = HARMLESS_PHRASES,
): CommitMatcher {
  const [commits, ignored] = [stems, harmless].map((list) => indexOf(list.map(parseStem)));
  if (commits === undefined || ignored === undefined) return () => false;
  return (text) =>
    readingsOf(text).some((reading) => {
      const rest = ignored.joined.reduce((left, { text: phrase }) => left.replaceAll(phrase, ' '), reading);
      if (commits.joined.some((stem) => holdsJoined(rest, stem))) return true;
      const words = withoutPhrases(rest.match(/\p{L}+|\p{N}+/gu) ?? [], ignored);
      return words.some((_, at) => lengthAt(words, at, commits) > 0);
    });
}

const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const MOST_BETWEEN = 3;
/** Replaces a harmless phrase, so that no stem spans it. */
const BREAK = '';

interface Stem {
  readonly text: string;
  readonly isJoined: boolean;
  /** Sequences of words; other words may be between two parts. */
  readonly parts: readonly (readonly string[])[];
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly anyEnding: boolean;
  readonly amount: boolean;
}

function parseStem(stem: string): Stem {
  const [, start = '', body = '', ending = '', end = ''] = /^(\^?)(.*?)(\*?| #)(\$?)$/u.exec(stem) ?? [];
  const folded = body.split('…').map((part) => foldLetters(plainLetters(part)));
  return {
    text: folded.join(''),
    isJoined: WITHOUT_SPACES.test(body),
    parts: folded.map((part) => part.match(/\p{L}+|\p{N}+/gu) ?? []),
    atStart: start !== '',
    atEnd: end !== '',
    anyEnding: ending === '*',
    amount: ending === ' #',
  };
}

interface StemIndex {
  readonly joined: readonly Stem[];
  readonly byFirstWord: ReadonlyMap<string, readonly Stem[]>;
  /** Stems of one word with any ending. */
  readonly beginnings: readonly Stem[];
}

function indexOf(stems: readonly Stem[]): StemIndex {
  const spaced = stems.filter(({ isJoined }) => !isJoined);
  const isBeginning = ({ anyEnding, parts: [first = [], ...more] }: Stem) =>
    anyEnding && first.length === 1 && more.length === 0;
  return {
    joined: stems.filter(({ isJoined }) => isJoined),
    byFirstWord: Map.groupBy(
      spaced.filter((stem) => !isBeginning(stem)),
      ({ parts }) => parts[0]?.[0] ?? '',
    ),
    beginnings: spaced.filter(isBeginning),
  };
}

function holdsJoined(reading: string, { text, atStart, atEnd, amount }: Stem): boolean {
  const found = reading.indexOf(text);
  if (found === -1) return false;
  if (atStart && /[\p{L}\p{N}]/u.test(reading.slice(0, found))) return false;
  const after = reading.slice(found + text.length);
  if (amount) return /^[^\p{L}\p{N}]{0,4}\p{N}/u.test(after);
  return !(atEnd && /[\p{L}\p{N}]/u.test(after));
}

/** Number of words that the matching stem takes; 0 when none matches. */
function lengthAt(words: readonly string[], at: number, { byFirstWord, beginnings }: StemIndex): number {
  const word = words[at] ?? BREAK;
  if (word === BREAK) return 0;
  const candidates = [
    ...(byFirstWord.get(word) ?? []),
    ...beginnings.filter(({ text }) => word.startsWith(text)),
  ];
  for (const stem of candidates) {
    const end = endOf(stem, words, at);
    if (end !== undefined) return end - at;
  }
  return 0;
}

function endOf(stem: Stem, words: readonly string[], at: number): number | undefined {
  if (stem.atStart && at > 0) return undefined;
  const end = stem.parts.reduce<number | undefined>(
    (from, part, index) =>
      from === undefined ? undefined : endOfPart(stem, part, words, from, index === 0 ? 0 : MOST_BETWEEN),
    at,
  );
  if (end === undefined) return undefined;
  if (stem.amount) return /^\p{N}/u.test(words[end] ?? BREAK) ? end + 1 : undefined;
  return stem.atEnd && end < words.length ? undefined : end;
}

function endOfPart(
  { anyEnding }: Stem,
  part: readonly string[],
  words: readonly string[],
  from: number,
  mostBetween: number,
): number | undefined {
  for (let skipped = 0; skipped <= mostBetween; skipped++) {
    const start = from + skipped;
    if (
      part.every((word, index) => isWord(words[start + index], word, anyEnding && index === part.length - 1))
    )
      return start + part.length;
    if (words[start] === BREAK) return undefined;
  }
  return undefined;
}

const isWord = (there: string | undefined, word: string, anyEnding: boolean): boolean =>
  there === word || (anyEnding && there?.startsWith(word) === true);

function withoutPhrases(words: readonly string[], harmless: StemIndex): string[] {
  const left: string[] = [];
  for (let at = 0; at < words.length; ) {
    const length = lengthAt(words, at, harmless);
    left.push(length === 0 ? (words[at] ?? BREAK) : BREAK);
    at += Math.max(1, length);
  }
  return left;
}
