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
}

export type PatternResult =
  | { readonly ok: true; readonly pattern: LinearPattern }
  | { readonly ok: false; readonly message: string };

const MAX_PATTERN_CHARS = 2_000;
const MAX_WORK = 5_000_000;

/** Maps repeat their patterns, and compiling one costs more than all other checks of its schema. */
const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, PatternResult>();

export function compilePattern(source: string): PatternResult {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const made = compile(source);
  remembered.set(source, made);
  return made;
}

function compile(source: string): PatternResult {
  if (source.length > MAX_PATTERN_CHARS) return refuse(`is longer than ${MAX_PATTERN_CHARS} characters`);
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    const maxChars = Math.floor(MAX_WORK / Math.max(1, compiled.programSize()));
    return {
      ok: true,
      pattern: { test: (text) => text.length <= maxChars && compiled.matcher(text).find() },
    };
  } catch (error) {
    return refuse(`is not a pattern that RE2 can run: ${reasonOf(error)}`);
  }
}

const refuse = (message: string): PatternResult => ({ ok: false, message });

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace('error parsing regexp: ', '')
    .slice(0, 200);
