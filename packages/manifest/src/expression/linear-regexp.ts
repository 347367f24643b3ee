import { RE2JS } from 're2js';
import { toLinearPattern } from './regex-dialect.ts';

/**
 * Replaces RegExp inside JSONata, with the same `lastIndex` and `exec`. Runs RE2, whose time is linear in the
 * text. Constructed from the native RegExp of JSONata's parser.
 */
export class LinearRegExp {
  lastIndex = 0;
  readonly #pattern: RE2JS;

  constructor(native: RegExp) {
    this.#pattern = compiled(native);
  }

  exec(text: string): LinearMatch | null {
    const matcher = this.#pattern.matcher(text);
    if (this.lastIndex > text.length || !matcher.find(this.lastIndex)) {
      this.lastIndex = 0;
      return null;
    }
    const groups: (string | undefined)[] = [];
    for (let group = 0; group <= matcher.groupCount(); group++) {
      groups.push(matcher.group(group) ?? undefined);
    }
    this.lastIndex = matcher.end();
    return Object.assign(groups, { index: matcher.start() });
  }
}

export type LinearMatch = (string | undefined)[] & { readonly index: number };

/** The reason why RE2 cannot run this pattern; undefined when it can. */
export function patternProblem(native: RegExp): string | undefined {
  try {
    compiled(native);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it does not compile';
  }
}

const cache = new WeakMap<RegExp, RE2JS>();

function compiled(native: RegExp): RE2JS {
  const known = cache.get(native);
  if (known !== undefined) return known;
  const caseFlag = native.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
  const lineFlag = native.multiline ? RE2JS.MULTILINE : 0;
  const pattern = RE2JS.compile(toLinearPattern(native.source), caseFlag | lineFlag);
  cache.set(native, pattern);
  return pattern;
}
