import type { Asker } from '@drawbridge/protocol';

/** Denies every question, for a runtime without a person. */
export function denyAll(reason: string): Asker {
  return { ask: async ({ call_hash }) => ({ decision: 'deny', call_hash, by: 'nobody', reason }) };
}
