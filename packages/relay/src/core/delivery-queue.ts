import type { JsonObject } from '../ledger/records.ts';
import type { Peer } from './peer.ts';

export interface Prepared {
  readonly peer: Peer;
  readonly sequence: number;
  readonly client_message_id: string;
  readonly payload: JsonObject;
}

interface InFlight {
  readonly peer: Peer;
  readonly chars: number;
  readonly attempt: number;
  readonly cancel: () => void;
}

export interface Waiting {
  readonly client_message_id: string;
  readonly sequence: number;
}

/** Delivery queue of a session. */
export interface DeliveryQueue {
  /** By id, in sequence order. */
  waiting: Map<string, Waiting>;
  readonly prepared: Map<string, Prepared>;
  readonly inFlight: Map<string, InFlight>;
  /** Counted as forwarded and known never to have been sent. */
  readonly unsent: Set<string>;
  /** Sends whose accepting transaction is under way: the ledger may have them before this queue does. */
  departing: number;
  /** True when the sends queued in the ledger were added to `waiting`. */
  loaded: boolean;
  /** Loading is postponed until no send is departing, or later sends would overtake those. */
  postponed: boolean;
  flushing: boolean;
}

export const createDeliveryQueue = (): DeliveryQueue => ({
  waiting: new Map(),
  prepared: new Map(),
  inFlight: new Map(),
  unsent: new Set(),
  departing: 0,
  loaded: false,
  postponed: false,
  flushing: false,
});
