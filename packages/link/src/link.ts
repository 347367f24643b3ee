import type { BridgeError, BridgeItem } from '@drawbridge/protocol';

/** Why a link is closed for good. */
export type CloseReason = 'closed_here' | 'closed_by_peer' | 'refused' | 'expired' | 'failed';

export type LinkState =
  | { readonly kind: 'connecting'; readonly attempt: number }
  /**
   * `resumed` is false on the first opening and whenever the stream before it could not be continued: then
   * `lost` was told, and the peer knows nothing of what was said before.
   */
  | { readonly kind: 'open'; readonly resumed: boolean; readonly connection_id?: string }
  /** A client tries again at `until`; a server gives its peer until then to come back. */
  | { readonly kind: 'waiting'; readonly until: number; readonly error: BridgeError }
  | { readonly kind: 'closed'; readonly reason: CloseReason; readonly error: BridgeError };

export type LinkTrouble =
  /** The stream broke: these items were sent here and are not known to have arrived. Calls end with `error`. */
  | { readonly kind: 'lost'; readonly error: BridgeError; readonly items: readonly BridgeItem[] }
  /** The peer sent what is no item; the link goes on. */
  | { readonly kind: 'refused'; readonly error: BridgeError; readonly frame: string };

/** One end of a connection that carries bridge items in order, each once, across reconnects. */
export interface ItemLink {
  readonly state: LinkState;
  /** Throws `transport_failed` when the link is closed, the item too large, or too much is unconfirmed. */
  readonly send: (item: BridgeItem) => void;
  /** Listen before the link opens: an item that nobody hears is gone. */
  readonly onItem: (listener: (item: BridgeItem) => void) => () => void;
  readonly onState: (listener: (state: LinkState) => void) => () => void;
  readonly onTrouble: (listener: (trouble: LinkTrouble) => void) => () => void;
  /** Idempotent. What is unconfirmed by then is told as `lost`, although most of it will arrive. */
  readonly close: () => void;
}
