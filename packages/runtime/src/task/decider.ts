import type { InteractRequest, InteractResponse } from '@drawbridge/protocol';

/** The decider: the interact port of a server, or a brain in this process. */
export interface TaskDecider {
  /**
   * One call of contract 4. A failed call is retried with the same `key`, so that a server may answer it once
   * (INT-75). Fails with a BridgeError; one that is not recoverable ends the task.
   */
  readonly interact: (request: InteractRequest, signal: AbortSignal, key: string) => Promise<DeciderAnswer>;
}

export type DeciderAnswer = Extract<InteractResponse, { readonly success: true }>['data'];
