import { BridgeError, LIMITS } from '@drawbridge/protocol';
import { byteLength } from '../expression/byte-length.ts';
import { jsonText } from './json-value.ts';
import type { ProjectionSpec } from './projection-spec.ts';

/** Byte budgets. A caller may ask for less, never for more. */
export interface StateLimits {
  /** Output of a projection's, summary's or postcondition's expression. */
  readonly maxExpressionBytes: number;
  /** A full state, or the operations of a diff. */
  readonly maxStateBytes: number;
  readonly maxSummaryBytes: number;
}

export const STATE_LIMITS: StateLimits = {
  maxExpressionBytes: 32_000,
  maxStateBytes: 48_000,
  maxSummaryBytes: 12_000,
};

/** A deeper value could not be sent: a message adds a few levels around a state. */
const MAX_DEPTH = LIMITS.depth.value - 8;

export function requireShallow(value: unknown, projection: ProjectionSpec): void {
  if (isDeeperThan(value, MAX_DEPTH)) throw tooLarge(projection, { limit: `${MAX_DEPTH} levels of nesting` });
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** Throws when the payload exceeds the smallest budget. */
export function requireWithin(
  payload: unknown,
  budgets: readonly (number | undefined)[],
  projection: ProjectionSpec,
): void {
  const limit = Math.min(...budgets.filter((budget) => budget !== undefined));
  const bytes = byteLength(jsonText(payload));
  if (bytes > limit) throw tooLarge(projection, { bytes, limit });
}

export function tooLarge(
  projection: ProjectionSpec,
  { bytes, limit }: { readonly bytes?: unknown; readonly limit: unknown },
): BridgeError {
  const summaries = projection.summaries?.map(({ name }) => name) ?? [];
  const size = typeof bytes === 'number' ? `${bytes} bytes` : 'more';
  const advice =
    summaries.length > 0 ? `Ask for a summary: ${summaries.join(', ')}.` : 'The projection has no summaries.';
  return new BridgeError(
    'state_payload_too_large',
    `${projection.name} gives ${size}; the limit is ${String(limit)}. ${advice}`,
    { evidence: { projection: projection.name, bytes, limit, available_summaries: summaries } },
  );
}
