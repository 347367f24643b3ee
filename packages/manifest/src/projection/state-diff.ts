import type { Operation } from './diff/patch.ts';
import type { SemanticDelta } from './diff/semantic-delta.ts';
import { diffValues } from './diff/value-diff.ts';
import { requireWithin } from './state-limits.ts';
import {
  limitsOf,
  type Observation,
  type StateQuery,
  type StateSource,
  takeReading,
} from './state-reading.ts';
import type { StateSnapshots } from './state-snapshots.ts';

export interface DiffQuery extends StateQuery {
  /** The runtime of the previous snapshot: a tab keeps its key when it navigates. */
  readonly runtime_key: string;
}

export interface DiffResult extends Observation {
  readonly baseline: 'initialized' | 'previous_snapshot';
  readonly previous_state_hash?: string;
  readonly patch_format: 'json_patch';
  readonly patches: readonly Operation[];
  readonly semantic_deltas: readonly SemanticDelta[];
  /** Number of omitted deltas; the patches are always complete. */
  readonly semantic_deltas_omitted?: number;
}

const MAX_DELTAS = 100;

/** `state_diff`: changes since the last call. The first call sets the baseline and reports no change. */
export async function diffState(
  source: StateSource,
  snapshots: StateSnapshots,
  query: DiffQuery,
): Promise<DiffResult> {
  const { projection, state, observation } = await takeReading(source, query.projection_name);
  const { maxStateBytes } = limitsOf(source);
  requireWithin(state, [maxStateBytes], projection);
  const key = { runtime: query.runtime_key, projection: projection.name };
  const previous = snapshots.find(key);
  const { patches, semantic_deltas: deltas } =
    previous === undefined ? { patches: [], semantic_deltas: [] } : diffValues(previous.state, state);
  const changes = { patches, semantic_deltas: deltas.slice(0, MAX_DELTAS) };
  // Checked before it is stored, so that the next diff starts from the last state the caller got.
  requireWithin(changes, [maxStateBytes, query.max_bytes], projection);
  snapshots.keep(key, { state, hash: observation.state_hash });
  return {
    ...observation,
    baseline: previous === undefined ? 'initialized' : 'previous_snapshot',
    ...(previous !== undefined && { previous_state_hash: previous.hash }),
    patch_format: 'json_patch',
    ...changes,
    ...(deltas.length > MAX_DELTAS && { semantic_deltas_omitted: deltas.length - MAX_DELTAS }),
  };
}
