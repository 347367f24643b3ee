import type { Actor } from '../call/declared-call.ts';

/** Who is acting on the page. The browser takes an agent's press for a person's too: only we know whose it was. */
export interface Acts {
  readonly as: <Result>(callId: string, work: () => Promise<Result>) => Promise<Result>;
  /** The call that is acting at the moment, if one is. */
  readonly callId: () => string | undefined;
  readonly actor: () => Actor;
}

/** What a press sets off may come a moment after the call that pressed is over. */
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
