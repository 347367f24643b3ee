import { type Rule, rulesIn, type SpecDocument } from './rules.ts';

export interface TestResult {
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'skipped';
}

export interface DocumentCoverage {
  readonly name: string;
  readonly rules: number;
  readonly shown: number;
  readonly open: readonly Rule[];
}

export interface Coverage {
  readonly documents: readonly DocumentCoverage[];
  /** Tests that name an unknown rule. */
  readonly unknown: readonly { readonly id: string; readonly title: string }[];
}

/** A rule is shown when at least one test names it and all of those passed. */
export function coverageOf(documents: readonly SpecDocument[], tests: readonly TestResult[]): Coverage {
  const named = tests.flatMap((test) => rulesIn(test.title).map((id) => ({ id, ...test })));
  const unshown = new Set(named.filter(({ status }) => status !== 'passed').map(({ id }) => id));
  const shown = new Set(named.map(({ id }) => id).filter((id) => !unshown.has(id)));
  const known = new Set(documents.flatMap(({ rules }) => rules.map(({ id }) => id)));
  return {
    documents: documents.map(({ name, rules }) => {
      const open = rules.filter(({ id }) => !shown.has(id));
      return { name, rules: rules.length, shown: rules.length - open.length, open };
    }),
    unknown: named.filter(({ id }) => !known.has(id)).map(({ id, title }) => ({ id, title })),
  };
}

/** `BRG-03, BRG-28 … BRG-31`: consecutive rules of a document become a range. */
export function summarise(rules: readonly Rule[]): string {
  const runs: string[][] = [];
  for (const { id } of rules) {
    const run = runs.at(-1);
    if (run !== undefined && Number(id.slice(4)) === Number(run.at(-1)?.slice(4)) + 1) run.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length < 3 ? run.join(', ') : `${run[0]} … ${run.at(-1)}`)).join(', ');
}
