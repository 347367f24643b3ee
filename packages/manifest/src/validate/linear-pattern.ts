import { RE2JS } from 're2js';

/**
 * Regular expressions that a map brings along. They run in RE2, whose time grows with the text and never
 * explodes; what RE2 cannot do (look-around, back-references, repeats over 1,000) is refused when the map
 * is validated. Even linear time has a factor: the size of the compiled program bounds how long a text may
 * be, so that no single test takes more than about a quarter of a second.
 */
export interface LinearPattern {
  /** Whether the pattern is found anywhere in the text. A text too long for it is never a match. */
  readonly test: (text: string) => boolean;
  /** Instructions of the compiled program: the work of a test is this times the text's length. */
  readonly size: number;
}

export type PatternResult =
  | { readonly ok: true; readonly pattern: LinearPattern }
  | { readonly ok: false; readonly message: string };

const MAX_PATTERN_CHARS = 2_000;
/** About 10 ms of compiling. */
const MAX_PATTERN_WEIGHT = 10_000;
/** Work of one test, or of all tests of one check. */
export const MAX_WORK = 5_000_000;

/** Maps repeat their patterns, and compiling one costs more than all other checks of its schema. */
const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, PatternResult>();

export function compilePattern(source: string): PatternResult {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  const [oldest] = remembered.keys();
  // One at a time: clearing all of them let 1,001 patterns be compiled again and again.
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
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
/** A Unicode class has hundreds of ranges, which (?i) folds one by one. */
const UNICODE_CLASS_WEIGHT = 10;

/** Estimates the size of the compiled program before it is compiled: RE2 copies what a count repeats. */
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
