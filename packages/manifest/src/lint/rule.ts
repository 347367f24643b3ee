import type { Manifest } from '@drawbridge/protocol/manifest';
import type { Path } from '../source/path.ts';

/** How much a finding matters: from a habit worth having to a map that will do the wrong thing. */
export const SEVERITIES = ['info', 'minor', 'major', 'critical'] as const;
export type LintSeverity = (typeof SEVERITIES)[number];

export const isSeverity = (word: string): word is LintSeverity =>
  SEVERITIES.some((severity) => severity === word);

export const isAtLeast = (severity: LintSeverity, floor: LintSeverity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(floor);

/** A map without the fields that every map has: what an example is about. */
export type Example = Partial<Omit<Manifest, 'protocol' | 'version'>> & { readonly x_actions?: unknown };

/** One habit of good maps, as data: its text, its examples and how to see that it is missing. */
export interface LintRule {
  readonly code: string;
  readonly severity: LintSeverity;
  /** What is wrong, in one sentence. */
  readonly summary: string;
  /** What happens to people who leave it so. */
  readonly why: string;
  readonly bad: Example;
  readonly good: Example;
  readonly find: (map: Manifest, context: LintContext) => Iterable<LintHit>;
}

export interface LintHit {
  readonly path: Path;
  readonly part?: 'key' | 'value';
  /** Goes on from the subject: "has a postcondition that always holds". */
  readonly message: string;
  readonly suggestion?: string;
}

export interface LintContext {
  /** Whether a file of the map's folder is there. Absent when nobody can tell. */
  readonly fileExists?: (path: string) => boolean;
}

export const exampleMap = (example: Example): Manifest => ({
  protocol: 'actions.json',
  version: 1,
  ...example,
  tools: example.tools ?? [],
});
