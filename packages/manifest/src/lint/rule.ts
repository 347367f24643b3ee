import type { Manifest } from '@drawbridge/protocol/manifest';
import type { Path } from '../source/path.ts';

/** From a good habit that is missing to a map that does the wrong thing. */
export const SEVERITIES = ['info', 'minor', 'major', 'critical'] as const;
export type LintSeverity = (typeof SEVERITIES)[number];

export const isSeverity = (word: string): word is LintSeverity =>
  SEVERITIES.some((severity) => severity === word);

export const isAtLeast = (severity: LintSeverity, floor: LintSeverity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(floor);

/** The fields that an example is about, without the required ones. */
export type Example = Partial<Omit<Manifest, 'protocol' | 'version'>> & { readonly x_actions?: unknown };

/** One lint rule: texts, examples and the check. */
export interface LintRule {
  readonly code: string;
  readonly severity: LintSeverity;
  /** The problem, in one sentence. */
  readonly summary: string;
  /** Consequences of the problem. */
  readonly why: string;
  readonly bad: Example;
  readonly good: Example;
  readonly find: (map: Manifest, context: LintContext) => Iterable<LintHit>;
}

export interface LintHit {
  readonly path: Path;
  readonly part?: 'key' | 'value';
  /** Continues the subject: "has a postcondition that always holds". */
  readonly message: string;
  readonly suggestion?: string;
}

export interface LintContext {
  /** Whether a file exists in the map's folder. Absent when the host cannot check. */
  readonly fileExists?: (path: string) => boolean;
}

export const exampleMap = (example: Example): Manifest => ({
  protocol: 'actions.json',
  version: 1,
  ...example,
  tools: example.tools ?? [],
});
