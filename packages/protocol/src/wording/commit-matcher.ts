import { HARMLESS_PHRASES } from './harmless-phrases.ts';
import { foldLetters, plainLetters, readingsOf } from './plain-words.ts';

/** Whether a text says that something is paid, sent, deleted or else committed to. */
export type CommitMatcher = (text: string) => boolean;

/**
 * Stems of alphabetic scripts match whole words. `*` at the end of a stem stands for any ending, `#` for an amount, `…`
 * for up to three words, `^` and `$` for the ends of the text. Chinese, Japanese and Thai have no spaces: their stems
 * match anywhere.
 */
export function createCommitMatcher(
  stems: readonly string[],
  harmless: readonly string[] = HARMLESS_PHRASES,
): CommitMatcher {
  if (stems.length === 0) return () => false;
  const commits = new RegExp(stems.map(patternOf).join('|'), 'u');
  const ignored = harmless.length === 0 ? undefined : new RegExp(harmless.map(patternOf).join('|'), 'gu');
  return (text) =>
    readingsOf(text).some((reading) =>
      commits.test(ignored === undefined ? reading : reading.replace(ignored, ' · ')),
    );
}

const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const GAP = "[^\\p{L}\\p{N}]+(?:[\\p{L}\\p{N}’']+[^\\p{L}\\p{N}]+){0,3}";
const BETWEEN = '[^\\p{L}\\p{N}]{1,3}';

function patternOf(stem: string): string {
  const [, start = '', words = '', ending = '', end = ''] = /^(\^?)(.*?)(\*?| #)(\$?)$/u.exec(stem) ?? [];
  const parts = words.split(/ ?… ?/u).map((part) => part.split(' ').map(quoted).join(BETWEEN));
  const body = parts.join(GAP);
  const isJoined = WITHOUT_SPACES.test(words);
  const before = start === '' ? (isJoined ? '' : '(?<!\\p{L})') : '^[^\\p{L}\\p{N}]*';
  if (ending === ' #') return `${before}${body}[^\\p{L}\\p{N}]{0,4}\\p{N}`;
  const letters = ending === '' ? '' : '\\p{L}*';
  const after = end === '' ? (isJoined ? '' : '(?!\\p{L})') : '[^\\p{L}\\p{N}]*$';
  return `${before}${body}${letters}${after}`;
}

const quoted = (word: string): string =>
  foldLetters(plainLetters(word)).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
