import type { HeldGrant } from '@drawbridge/protocol';
import type { Grant } from './grant-book.ts';

/** Grants of one tab that need no question, as its runtime reports them (BRG-169). */
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
