import { compilePattern, MAX_WORK, type PatternResult, patternWeight } from './linear-pattern.ts';

/** Limits on the patterns of one schema or map: number, total size and run time. */
export type PatternBudget = ReturnType<typeof createPatternBudget>;

export interface PatternLimits {
  readonly patterns: number;
  readonly weight: number;
}

export const SCHEMA_PATTERNS: PatternLimits = { patterns: 100, weight: 20_000 };
export const MAP_PATTERNS: PatternLimits = { patterns: 1_000, weight: 40_000 };

export class TooMuchWork extends Error {}

export function createPatternBudget({ patterns, weight }: PatternLimits) {
  const known = new Map<string, PatternResult>();
  let used = 0;
  let work = 0;

  const make = (source: string): PatternResult => {
    used += patternWeight(source);
    if (known.size >= patterns) return refuse(`is one pattern too many: at most ${patterns} fit`);
    if (used > weight) return refuse('makes the patterns too large together: use fewer or smaller ones');
    const result = compilePattern(source);
    if (!result.ok) return result;
    const { test, size } = result.pattern;
    const limited = (text: string): boolean => {
      work += text.length * size;
      if (work > MAX_WORK) throw new TooMuchWork();
      return test(text);
    };
    return { ok: true, pattern: { size, test: limited } };
  };

  return {
    /** Compiles a pattern once, within the budget. */
    patternOf(source: string): PatternResult {
      const before = known.get(source);
      if (before !== undefined) return before;
      const made = make(source);
      if (known.size < patterns) known.set(source, made);
      return made;
    },
    /** Starts one check, whose tests share one work budget. `test` throws beyond it. */
    begin(): void {
      work = 0;
    },
    /** Total weight of all requested patterns, refused ones included. */
    weight: (): number => used,
  };
}

const refuse = (message: string): PatternResult => ({ ok: false, message });
