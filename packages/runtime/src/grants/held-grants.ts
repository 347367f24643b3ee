import type { HeldGrant } from '@drawbridge/protocol';
import type { Grant } from './grant.ts';

/** What one tab's calls may do without asking, as its runtime says it (BRG-169). */
export function heldFor(runtimeKey: string, grants: readonly Grant[]): HeldGrant[] {
  return grants
    .filter(({ runtime_key = runtimeKey }) => runtime_key === runtimeKey)
    .map(({ grant_id, origin, covers, by, expires_at }) => ({
      grant_id,
      origin,
      ...covers,
      by,
      ...(expires_at !== undefined && { expires_at }),
    }));
}
