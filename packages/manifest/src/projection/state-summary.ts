import { BridgeError } from '@drawbridge/protocol';
import type { ProjectionSpec, SummarySpec } from './projection-spec.ts';
import { requireWithin } from './state-limits.ts';
import {
  evaluateSlot,
  limitsOf,
  type Observation,
  type StateQuery,
  type StateSource,
  takeReading,
} from './state-reading.ts';

export const DEFAULT_SUMMARY = 'agent_context';

export interface SummaryQuery extends StateQuery {
  readonly summary_name?: string;
}

export interface SummaryResult extends Observation {
  readonly summary_name: string;
  readonly summary: unknown;
}

/** `state_summary`: a declared summary of the whole state. */
export async function readSummary(source: StateSource, query: SummaryQuery): Promise<SummaryResult> {
  const { projection, state, extraction, observation } = await takeReading(source, query.projection_name);
  const wanted = findSummary(projection, query.summary_name ?? DEFAULT_SUMMARY);
  const { records, url } = extraction;
  const context = { state, records, url, projection: { name: projection.name } };
  const summary = (await evaluateSlot(source, projection, wanted.expression, context)) ?? null;
  requireWithin(summary, [wanted.max_bytes, limitsOf(source).maxSummaryBytes, query.max_bytes], projection);
  return { ...observation, summary_name: wanted.name, summary };
}

function findSummary({ name, summaries = [] }: ProjectionSpec, wanted: string): SummarySpec {
  const found = summaries.find((summary) => summary.name === wanted);
  if (found !== undefined) return found;
  const known = summaries.map((summary) => summary.name);
  const offer = known.length > 0 ? `Use one of: ${known.join(', ')}.` : 'Use state_read instead.';
  throw new BridgeError('state_summary_not_found', `${name} has no summary called "${wanted}". ${offer}`, {
    evidence: { projection: name, summary: wanted, available_summaries: known },
  });
}
