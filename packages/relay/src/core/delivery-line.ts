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
  readonly callOff: () => void;
}

export interface Waiting {
  readonly client_message_id: string;
  readonly sequence: number;
}

/** What is on its way to the proxy of a session. */
export interface Line {
  /** By their ids, in the order of their sequences. */
  waiting: Map<string, Waiting>;
  readonly prepared: Map<string, Prepared>;
  readonly inFlight: Map<string, InFlight>;
  /** Counted as forwarded, and known never to have left. */
  readonly unsent: Set<string>;
  /** How many are being accepted and counted as forwarded: the ledger may have them and they have not had their turn. */
  departing: number;
  /** What waited in the ledger when the proxy came is among `waiting`. */
  loaded: boolean;
  /** It was to be loaded while some were departing, and is when they are through: later ones would overtake them. */
  postponed: boolean;
  flushing: boolean;
}

export const createLine = (): Line => ({
  waiting: new Map(),
  prepared: new Map(),
  inFlight: new Map(),
  unsent: new Set(),
  departing: 0,
  loaded: false,
  postponed: false,
  flushing: false,
});
