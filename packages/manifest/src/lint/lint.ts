import type { Manifest } from '@drawbridge/protocol/manifest';
import { printMap } from '../source/print.ts';
import type { MapProblem } from '../validate/finding.ts';
import { present } from '../validate/present.ts';
import { AUTHOR_RULES } from './author-rules.ts';
import { PROOF_RULES } from './proof-rules.ts';
import type { LintContext, LintRule, LintSeverity } from './rule.ts';
import { SELECTOR_RULES } from './selector-rules.ts';
import { STATE_RULES } from './state-rules.ts';
import { STEP_RULES } from './step-rules.ts';

/** `docs/reference/map-lint.md` is generated from this table. */
export const LINT_RULES: readonly LintRule[] = [
  ...PROOF_RULES,
  ...STEP_RULES,
  ...SELECTOR_RULES,
  ...STATE_RULES,
  ...AUTHOR_RULES,
];

export interface LintProblem extends MapProblem<string> {
  readonly severity: LintSeverity;
}

export interface LintOptions extends LintContext {
  /** The text that positions refer to; the printed map by default. */
  readonly text?: string;
}

/** Finds weaknesses in a valid map. Validate first. */
export function lint(map: Manifest, options: LintOptions = {}): LintProblem[] {
  const hits = LINT_RULES.flatMap(({ code, find }) =>
    [...find(map, options)].map((hit) => ({ code, ...hit })),
  );
  const severities = new Map(LINT_RULES.map(({ code, severity }) => [code, severity]));
  return present(hits, options.text ?? printMap(map), map).map((problem) => ({
    ...problem,
    severity: severities.get(problem.code) ?? 'info',
  }));
}
