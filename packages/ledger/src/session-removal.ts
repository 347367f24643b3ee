import type { Ledger } from './ledger.ts';

const STEP = 100;

/**
 * Removes a session in small steps, so that the writer is never blocked for long; false when there is none.
 */
export async function removeSession(
  { commit }: Pick<Ledger, 'commit'>,
  session_id: string,
): Promise<boolean> {
  const through = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const pruned = await commit([{ do: 'prune_events', session_id, through, limit: STEP }]);
    if (!pruned.committed) return false;
    if (pruned.results[0].removed < STEP) break;
  }
  return (await commit([{ do: 'drop_session', session_id }])).committed;
}
