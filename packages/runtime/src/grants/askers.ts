import type { Asker } from '@drawbridge/protocol';

/** Where nobody can be asked, nothing is permitted beyond the grants. */
export function denyAll(reason: string): Asker {
  return { ask: async ({ call_hash }) => ({ decision: 'deny', call_hash, by: 'nobody', reason }) };
}
