import { RecentMap } from '@drawbridge/base';
import { RE2JS } from 're2js';

/**
 * Regular expressions of a map. RE2 runs them in linear time; features that it lacks (look-around,
 * back-references, repeats over 1,000) are refused during validation. The size of the compiled program limits
 * the text's length, so that a single test takes at most about a quarter of a second.
 */
export interface LinearPattern {
  /** Whether the pattern occurs in the text. A text that is too long never matches. */
  readonly test: (text: string) => boolean;
  /** Instructions of the compiled program. A test costs this times the text's length. */
  readonly size: number;
}

export type PatternResult =
  | { readonly ok: true; readonly pattern: LinearPattern }
  | { readonly ok: false; readonly message: string };

const MAX_PATTERN_CHARS = 2_000;
/** About 10 ms of compilation. */
const MAX_PATTERN_WEIGHT = 10_000;
/** Work limit of one test, or of all tests of one check. */
export const MAX_WORK = 5_000_000;

/**
 * Cache size: maps repeat their patterns, and compiling one costs more than all other checks of its schema.
 */
const MAX_REMEMBERED = 1_000;
const remembered = new RecentMap<string, PatternResult>(MAX_REMEMBERED);

export function compilePattern(source: string): PatternResult {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  const made = compile(source);
  remembered.set(source, made);
  return made;
}

function compile(source: string): PatternResult {
  if (source.length > MAX_PATTERN_CHARS) return refuse(`is longer than ${MAX_PATTERN_CHARS} characters`);
  if (patternWeight(source) > MAX_PATTERN_WEIGHT) return refuse('repeats too much: use smaller counts');
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    const size = Math.max(1, compiled.programSize());
    const maxChars = Math.floor(MAX_WORK / size);
    return {
      ok: true,
      pattern: { size, test: (text) => text.length <= maxChars && compiled.matcher(text).find() },
    };
  } catch (error) {
    return refuse(`is not a pattern that RE2 can run: ${reasonOf(error)}`);
  }
}

const PARTS = /\\[pP]|\\.|\[(?:\\.|[^\]\\])*\]?|\{(\d+)(?:,(\d*))?\}|[()]|./gsu;
/** A Unicode class has hundreds of ranges, and (?i) folds each one. */
const UNICODE_CLASS_WEIGHT = 10;

/** Estimates the size of the compiled program before compiling: RE2 copies a repeated part. */
export function patternWeight(source: string): number {
  const outer: number[] = [];
  let sum = 0;
  let last = 0;
  for (const [part, least, most] of source.matchAll(PARTS)) {
    if (part === '(') {
      outer.push(sum);
      sum = 0;
      last = 0;
    } else if (part === ')') {
      last = sum;
      sum += outer.pop() ?? 0;
    } else if (least !== undefined) {
      const copies = Math.max(1, Number(least), Number(most || 0));
      sum += last * (copies - 1);
      last *= copies;
    } else {
      last = /^\\[pP]/.test(part) ? UNICODE_CLASS_WEIGHT : part.length;
      sum += last;
    }
  }
  return sum + outer.reduce((all, each) => all + each, 0);
}

const refuse = (message: string): PatternResult => ({ ok: false, message });

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace('error parsing regexp: ', '')
    .slice(0, 200);
