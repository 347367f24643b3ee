import type { BridgeError, BridgeItem } from '@drawbridge/protocol';

export type CloseReason = 'closed_here' | 'closed_by_peer' | 'refused' | 'expired' | 'failed';

export type LinkState =
  | { readonly kind: 'connecting'; readonly attempt: number }
  /**
   * `resumed` is false on the first opening and whenever the previous stream could not continue: then `lost`
   * was reported, and the peer has forgotten everything before.
   */
  | { readonly kind: 'open'; readonly resumed: boolean; readonly connection_id?: string }
  /** A client retries at `until`; a server waits for its peer until then. */
  | { readonly kind: 'waiting'; readonly until: number; readonly error: BridgeError }
  | { readonly kind: 'closed'; readonly reason: CloseReason; readonly error: BridgeError };

export type LinkProblem =
  /** The stream broke: these items may not have arrived. Calls end with `error`. */
  | { readonly kind: 'lost'; readonly error: BridgeError; readonly items: readonly BridgeItem[] }
  /** The peer sent an invalid item; the link continues. */
  | { readonly kind: 'refused'; readonly error: BridgeError; readonly frame: string };

/** One end of a connection that carries bridge items in order, each once, across reconnects. */
export interface ItemLink {
  readonly state: LinkState;
  /** Throws `transport_failed` when the link is closed, the item too large, or too much is unconfirmed. */
  readonly send: (item: BridgeItem) => void;
  /** Listen before the link opens: an item without a listener is lost. */
  readonly onItem: (listener: (item: BridgeItem) => void) => () => void;
  readonly onState: (listener: (state: LinkState) => void) => () => void;
  readonly onProblem: (listener: (problem: LinkProblem) => void) => () => void;
  /** Idempotent. Unconfirmed items are reported as `lost`, although most will arrive. */
  readonly close: () => void;
}
