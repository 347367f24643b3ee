import type { Clock } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import type { Evaluator, Extraction, Extractor } from '../host.ts';
import { checkSchema } from '../validate/json-schema.ts';
import { type ProjectionSpec, readProjection, urlPatternsOf } from './projection-spec.ts';
import { slotExpression } from './slot-expression.ts';
import { stateHash } from './state-hash.ts';
import { requireShallow, requireWithin, STATE_LIMITS, type StateLimits, tooLarge } from './state-limits.ts';
import { fitsWildcard } from './url-wildcard.ts';

/** One page, the projections of its map, and the parts that read them. */
export interface StateSource {
  readonly projections: readonly { readonly name: string }[];
  readonly extractor: Extractor;
  readonly evaluator: Pick<Evaluator, 'evaluate'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: Partial<StateLimits>;
}

export interface StateQuery {
  readonly projection_name: string;
  /** The caller's own byte limit. */
  readonly max_bytes?: number;
}

export interface Diagnostics {
  readonly selector_counts: Readonly<Record<string, number>>;
  readonly missing_required_fields: readonly string[];
  /** Always true: a state that does not match is not returned. Absent without a schema. */
  readonly schema_valid?: true;
  /** Always false: an oversized state is refused, never cut. */
  readonly truncated: false;
}

/** Fields of every answer about a state. */
export interface Observation {
  readonly ok: true;
  readonly projection: string;
  readonly state_hash: string;
  readonly observed_at: string;
  readonly diagnostics: Diagnostics;
}

export interface StateResult extends Observation {
  readonly state: unknown;
}

/** A state with its extraction, for summaries and diffs. */
export interface Reading {
  readonly projection: ProjectionSpec;
  readonly extraction: Extraction;
  readonly state: unknown;
  readonly observation: Observation;
}

/** `state_read`: the full state. */
export async function readState(source: StateSource, query: StateQuery): Promise<StateResult> {
  const reading = await takeReading(source, query.projection_name);
  const { maxStateBytes } = limitsOf(source);
  requireWithin(reading.state, [maxStateBytes, query.max_bytes], reading.projection);
  return { ...reading.observation, state: reading.state };
}

/** Reads the page, evaluates the projection and validates the state. */
export async function takeReading(source: StateSource, name: string): Promise<Reading> {
  const projection = findProjection(source, name);
  const { extract, projection: transform, output_schema: schema } = projection.snapshot;
  const extraction = await source.extractor.extract(extract);
  requireInScope(projection, extraction.url);
  const { records, url, title } = extraction;
  const context = { records, url, title, projection: { name } };
  const state = (await evaluateSlot(source, projection, transform.expression, context)) ?? null;
  if (schema !== undefined) requireFit(projection, schema, state, extraction);
  const observation: Observation = {
    ok: true,
    projection: name,
    state_hash: stateHash(state),
    observed_at: new Date(source.clock.now()).toISOString(),
    diagnostics: {
      selector_counts: extraction.selector_counts,
      missing_required_fields: extraction.missing_required_fields,
      ...(schema !== undefined && { schema_valid: true }),
      truncated: false,
    },
  };
  return { projection, extraction, state, observation };
}

/** Evaluates a slot of the projection. */
export function evaluateSlot(
  source: StateSource,
  projection: ProjectionSpec,
  slot: string,
  context: object,
): Promise<unknown> {
  return evaluateWithin(source, projection, slotExpression(slot) ?? slot, context);
}

/** Reports output over the byte budget as `state_payload_too_large`, not as an expression error. */
export async function evaluateWithin(
  source: StateSource,
  projection: ProjectionSpec,
  expression: string,
  context: object,
): Promise<unknown> {
  const { maxExpressionBytes } = limitsOf(source);
  try {
    const value = await source.evaluator.evaluate(expression, context, {
      maxOutputBytes: maxExpressionBytes,
    });
    requireShallow(value, projection);
    return value;
  } catch (error) {
    if (!(error instanceof BridgeError) || error.code !== 'expression_output_too_large') throw error;
    throw tooLarge(projection, { bytes: error.evidence['bytes'], limit: maxExpressionBytes });
  }
}

export const limitsOf = ({ limits }: StateSource): StateLimits => ({ ...STATE_LIMITS, ...limits });

function findProjection({ projections }: StateSource, name: string): ProjectionSpec {
  const found = projections.find((projection) => projection.name === name);
  if (found !== undefined) return readProjection(found);
  const known = projections.map((projection) => projection.name);
  throw new BridgeError(
    'state_projection_not_found',
    `The map has no projection called "${name}". ${known.length > 0 ? `Use one of: ${known.join(', ')}.` : 'The map has none.'}`,
    { evidence: { projection: name, available_projections: known } },
  );
}

function requireInScope(projection: ProjectionSpec, url: string): void {
  const patterns = urlPatternsOf(projection).map(String);
  if (patterns.length === 0 || patterns.some((pattern) => fitsWildcard(pattern, url))) return;
  throw new BridgeError(
    'state_document_unavailable',
    `${projection.name} is read on ${patterns.join(' or ')}, and the page is ${url}. Go there first.`,
    { evidence: { projection: projection.name, url, url_matches: patterns } },
  );
}

function requireFit(
  projection: ProjectionSpec,
  schema: object,
  state: unknown,
  { selector_counts, missing_required_fields }: Extraction,
): void {
  const result = checkSchema(schema, state);
  if (result.ok) return;
  throw new BridgeError(
    'state_schema_validation_failed',
    `The state of ${projection.name} does not fit its schema: ${result.path || 'it'} ${result.message}.`,
    {
      evidence: {
        projection: projection.name,
        path: result.path,
        diagnostics: { selector_counts, missing_required_fields, schema_valid: false, truncated: false },
      },
    },
  );
}
