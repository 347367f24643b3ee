import type { Actor } from '../call/declared-call.ts';

/** Tracks the actor of trusted input: the browser cannot tell an agent's press from a person's. */
export interface Acts {
  readonly as: <Result>(callId: string, work: () => Promise<Result>) => Promise<Result>;
  /** The currently acting call. */
  readonly callId: () => string | undefined;
  readonly actor: () => Actor;
}

/** Consequences of a press may come shortly after its call has ended. */
const AFTER_AN_ACT_MS = 1_000;

export function createActs(now: () => number): Acts {
  let acting: string | undefined;
  let actedAt = Number.NEGATIVE_INFINITY;
  return {
    callId: () => acting,
    actor: () => (acting !== undefined || now() - actedAt < AFTER_AN_ACT_MS ? 'agent' : 'person'),
    async as(callId, work) {
      acting = callId;
      try {
        return await work();
      } finally {
        acting = undefined;
        actedAt = now();
      }
    },
  };
}
