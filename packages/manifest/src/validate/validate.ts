import { isObject, Manifest, manifest } from '@drawbridge/protocol/manifest';
import { type MapText, readMapText } from '../source/map-text.ts';
import { printMap } from '../source/print.ts';
import {
  type ArgumentNames,
  type CheckContext,
  checkContext,
  type KnownPrimitives,
  MAP_LIMITS,
  type MapLimits,
} from './check-context.ts';
import { WARNINGS } from './codes.ts';
import type { Finding, Findings, MapProblem } from './finding.ts';
import { checkNames } from './names.ts';
import { present, presentFaults } from './present.ts';
import { checkProjections } from './projections.ts';
import { checkProvenance } from './provenance.ts';
import { checkReferences } from './references.ts';
import { checkSchemas } from './schemas.ts';
import { checkSections } from './sections.ts';
import { checkShape } from './shape.ts';
import { checkSourceFiles } from './source-files.ts';
import { checkTools } from './tools.ts';
import { checkWorkflows } from './workflow.ts';

export interface ValidateOptions {
  /** With it, unknown primitives are errors. */
  readonly dictionary?: KnownPrimitives;
  /** With it, unknown and missing arguments of the primitives that it knows are errors. */
  readonly argumentsOf?: (primitive: string) => ArgumentNames | undefined;
  readonly limits?: Partial<MapLimits>;
  /** Readers of the map. Only a `public` map, the default, gets warnings about its provenance. */
  readonly audience?: 'public' | 'shared' | 'private';
}

export type Validation =
  | {
      readonly ok: true;
      readonly map: Manifest;
      readonly errors: readonly [];
      readonly warnings: readonly MapProblem[];
    }
  | { readonly ok: false; readonly errors: readonly MapProblem[]; readonly warnings: readonly MapProblem[] };

const CHECKS: readonly ((context: CheckContext) => Findings)[] = [
  checkNames,
  checkTools,
  checkWorkflows,
  checkProjections,
  checkSections,
  checkReferences,
  checkSourceFiles,
  checkSchemas,
];

/**
 * Returns the map, or all of its problems at once. Takes the text of a file, or a JSON value, whose positions
 * refer to its printed form. Never throws.
 */
export function validate(source: unknown, options: ValidateOptions = {}): Validation {
  const limits = { ...MAP_LIMITS, ...options.limits };
  const text = typeof source === 'string' ? source : printed(source);
  if (text === undefined) return refused([NOT_JSON]);
  const read = readMapText(text, limits.maxChars);
  const faults = presentFaults(read.faults, text);
  if (!('value' in read)) return refused(faults);
  if (!isObject(read.value))
    return refused([...faults, ...present([NOT_A_MAP], text, read.value, read.tree)]);
  const found = findingsIn(read.value, limits, options);
  return verdict(found, faults, text, read);
}

function verdict(
  found: readonly Finding[],
  faults: readonly MapProblem[],
  text: string,
  read: MapText,
): Validation {
  const problems = present(found, text, read.value, read.tree);
  const warnings = problems.filter(({ code }) => code in WARNINGS);
  const errors = [...faults, ...problems.filter(({ code }) => !(code in WARNINGS))];
  if (errors.length > 0) return { ok: false, errors, warnings };
  return { ok: true, map: manifest.read(read.value), errors: [], warnings };
}

const refused = (errors: readonly MapProblem[]): Validation => ({ ok: false, errors, warnings: [] });

function findingsIn(value: Record<string, unknown>, limits: MapLimits, options: ValidateOptions): Finding[] {
  const context = checkContext({ value, path: [] }, limits, options.dictionary, options.argumentsOf);
  const findings = shapeFindings(value);
  for (const check of CHECKS) findings.push(...check(context));
  if ((options.audience ?? 'public') === 'public') findings.push(...checkProvenance(context));
  return findings;
}

/** The generated check runs first, because it is far faster than the walk that finds every error. */
function shapeFindings(value: unknown): Finding[] {
  try {
    manifest.read(value);
    return [];
  } catch (error) {
    const found = [...checkShape(Manifest, value)];
    const message = error instanceof Error ? error.message : String(error);
    return found.length > 0 ? found : [{ code: 'wrong_value', path: [], message }];
  }
}

/** Undefined for values without JSON: a cycle, a bigint, undefined. */
function printed(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) === undefined ? undefined : printMap(value);
  } catch {
    return undefined;
  }
}

const NOT_A_MAP: Finding = {
  code: 'not_a_map',
  path: [],
  message: 'must be one JSON object',
  expected: 'an object',
};

const NOT_JSON: MapProblem = {
  code: 'invalid_json',
  pointer: '',
  line: 1,
  column: 1,
  message: 'The map is not a value that JSON can hold.',
  expected: 'JSON',
};
