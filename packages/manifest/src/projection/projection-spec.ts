import { BridgeError } from '@drawbridge/protocol';
import type { ExtractEntry } from '@drawbridge/protocol/manifest';
import { isObject, StateProjection } from '@drawbridge/protocol/manifest';
import { toPointer } from '../source/path.ts';
import { checkContext, MAP_LIMITS } from '../validate/check-context.ts';
import { WARNINGS } from '../validate/codes.ts';
import type { Finding, Findings } from '../validate/finding.ts';
import { checkProjections } from '../validate/projections.ts';
import { checkShape } from '../validate/shape.ts';
import type { JsonObject } from './json-value.ts';

export interface ProjectionSpec {
  readonly name: string;
  readonly description?: string;
  /** Pages where it can be read, with `*` as wildcard; any page when absent. */
  readonly scope?: { readonly url_matches?: string | readonly string[] };
  readonly snapshot: {
    readonly extract: readonly ExtractEntry[];
    readonly projection: { readonly expression: string };
    readonly output_schema?: JsonObject;
  };
  readonly summaries?: readonly SummarySpec[];
  /** By tool name; validated where they are used. */
  readonly postconditions?: Readonly<Record<string, unknown>>;
}

export interface SummarySpec {
  readonly name: string;
  readonly expression: string;
  readonly max_bytes?: number;
}

const usable = new WeakSet<object>();

/** Returns the projection, or throws `invalid_state_projection` with all problems. */
export function readProjection(value: unknown): ProjectionSpec {
  const problems: Finding[] = [];
  if (isProjection(value, problems)) return value;
  const name = isObject(value) && typeof value['name'] === 'string' ? value['name'] : 'A projection';
  const told = problems.map(({ path, message }) => `${toPointer(path.slice(1))} ${message}`);
  throw new BridgeError(
    'invalid_state_projection',
    `${name} cannot be read: ${told[0] ?? 'it is no object'}. Correct the map and validate it again.`,
    { evidence: { projection: name, problems: told } },
  );
}

/** Applies the validator's rules, once per object. */
function isProjection(value: unknown, problems: Finding[]): value is ProjectionSpec {
  if (!isObject(value)) return false;
  if (usable.has(value)) return true;
  for (const finding of findingsIn(value)) if (!(finding.code in WARNINGS)) problems.push(finding);
  if (problems.length > 0) return false;
  usable.add(value);
  return true;
}

function* findingsIn(projection: JsonObject): Findings {
  // Postconditions refer to other projections, which are not available here.
  const { postconditions: _, ...alone } = projection;
  const map = { state_projections: [alone] };
  yield* checkShape(StateProjection, alone, [0]);
  for (const finding of checkProjections(checkContext({ value: map, path: [] }, MAP_LIMITS, undefined))) {
    yield { ...finding, path: finding.path.slice(1) };
  }
  if (!urlPatternsOf(alone).every((pattern) => typeof pattern === 'string' && pattern !== '')) {
    const message = 'must be a text or a list of texts, in which * stands for anything';
    yield { code: 'wrong_value', path: [0, 'scope', 'url_matches'], message };
  }
}

/** The patterns as written, possibly not strings. */
export function urlPatternsOf({ scope }: { readonly scope?: unknown }): readonly unknown[] {
  const patterns = isObject(scope) ? (scope['url_matches'] ?? []) : (scope ?? []);
  return Array.isArray(patterns) ? patterns : [patterns];
}
