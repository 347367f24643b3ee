import { createMutex } from '@drawbridge/base';
import type { Actor } from '../call/declared-call.ts';

export type Acting = ReturnType<typeof createActing>;

/** Consequences of a press may come shortly after its call has ended. */
const AFTER_AN_ACT_MS = 1_000;

/**
 * Runs acts one at a time, because two at once would report each other's effects. Reads may overlap. Knows the
 * actor of trusted input: the browser cannot tell an agent's press from a person's.
 */
export function createActing(now: () => number) {
  const runExclusive = createMutex();
  let acting: string | undefined;
  let actedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Runs an act after those before it; `callId` is the agent's call that acts. */
    inTurn<Result>(work: () => Promise<Result>, callId?: string): Promise<Result> {
      return runExclusive(async () => {
        acting = callId;
        try {
          return await work();
        } finally {
          acting = undefined;
          if (callId !== undefined) actedAt = now();
        }
      });
    },
    /** The currently acting call. */
    callId: () => acting,
    actor: (): Actor => (acting !== undefined || now() - actedAt < AFTER_AN_ACT_MS ? 'agent' : 'person'),
  };
}
