import type { Ledger } from '../ledger/ledger.ts';
import type { EventRecord, JsonObject } from '../ledger/records.ts';

/** What the core is given. It has no clock, no chance, no socket and no disk of its own. */
export interface CorePorts {
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  /** A new id, unlike any other: `id('conn')` is `conn_…`. */
  readonly id: (kind: string) => string;
  readonly bus: Bus;
  /** A bug or a store's trouble that no peer can be told of. */
  readonly onFault: (error: unknown) => void;
}

export interface CoreClock {
  /** The wall's, in milliseconds since 1970: to stamp, never to wait by (CHT-114). */
  readonly now: () => number;
  /** Runs after so long by a clock that never jumps. Returns how to call it off. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** By the credential alone, never by what a peer says of itself (CHT-85). A peer without one is a stranger. */
export const ROLES = ['owner', 'person', 'proxy', 'runtime', 'agent'] as const;
export type Role = (typeof ROLES)[number];

export interface Identity {
  readonly device_id: string;
  readonly roles: readonly Role[];
  /** As people named it: "answered on Phone". */
  readonly label: string;
  /** With `session:ID` among them it sees those sessions and no others (CHT-92). */
  readonly scopes: readonly string[];
}

/**
 * `live`: an event as it happens; counts towards what a peer may leave unread (CHT-98).
 * `answer`: to one peer. `history`: as fast as the peer reads, and never counted (CHT-99).
 */
export type Lane = 'live' | 'answer' | 'history';

/** One open socket, as the core sees it. */
export interface PeerPort {
  /** Undefined for a stranger. */
  readonly identity: Identity | undefined;
  /** False when the peer has left too much unread: it gets nothing more. */
  readonly send: (text: string, lane: Lane) => boolean;
  /** Resolves when the peer has read what was sent, or is gone. */
  readonly drained: () => Promise<void>;
  readonly close: (code: number, reason: string) => void;
}

/** What a socket's port tells the core. */
export interface Connection {
  readonly connection_id: string;
  readonly receive: (text: string) => void;
  /** The socket has ended. Idempotent. */
  readonly closed: () => void;
}

/** Between the relays of one ledger. It may lose a note or repeat it: the ledger is the truth. */
export interface Bus {
  /** Every relay hears it, this one too. */
  readonly publish: (note: Note) => void;
  readonly onNote: (listener: (note: Note) => void) => () => void;
}

/** An event as a commit left it: the hashes stay with the ledger, which checks them. */
export type RelayEvent = Omit<EventRecord, 'prev_hash' | 'hash'>;

/** A session's latest sequence, as somebody knows it. */
export interface Head {
  readonly session_id: string;
  readonly head: number;
}

/** Who a text is for: one device; with a `client_id`, that client of it (CHT-191); with a `connection_id`, that one alone. */
export interface Addressee {
  readonly device_id: string;
  readonly client_id: string | null;
  readonly connection_id: string | null;
}

/** A core's `node_id` is a new one at each start. What a note asks of others is acknowledged (`heard`), and said again until then. */
export type Note =
  /** Committed just now, in order: for those who watch the session. */
  | { readonly kind: 'appended'; readonly session_id: string; readonly events: readonly RelayEvent[] }
  | (Addressee & { readonly kind: 'told'; readonly told_id: string; readonly text: string })
  /** A person's command, for the keeper. */
  | {
      readonly kind: 'asked';
      readonly ask_id: string;
      readonly node_id: string;
      readonly connection_id: string;
      readonly identity: Identity;
      readonly client_id: string | null;
      readonly features: readonly string[];
      readonly text: string;
    }
  | { readonly kind: 'heard'; readonly id: string; readonly node_id: string }
  /** That a node lives, each second, and what it said lately that may have been lost. */
  | {
      readonly kind: 'beat';
      readonly node_id: string;
      /** It is the keeper. */
      readonly keeps: boolean;
      readonly heads: readonly Head[];
      /** Connections that asked something, and have ended. */
      readonly left: readonly string[];
      /** Devices. */
      readonly revoked: readonly string[];
    }
  /** What servers tell each other; nothing to a core. */
  | { readonly kind: 'node'; readonly node_id: string; readonly facts: JsonObject };

export type NoteOf<Kind extends Note['kind']> = Extract<Note, { kind: Kind }>;

/** How long things take when nobody says otherwise. */
export interface CoreTimes {
  readonly heartbeat_interval_ms: number;
  readonly heartbeat_timeout_ms: number;
  readonly hello_ms: number;
  readonly launch_ms: number;
  readonly answer_ms: number;
  readonly send_result_ms: number;
  readonly queue_ms: number;
}

export const CORE_TIMES: CoreTimes = {
  heartbeat_interval_ms: 10_000,
  heartbeat_timeout_ms: 30_000,
  hello_ms: 5_000,
  launch_ms: 30_000,
  answer_ms: 10_000,
  send_result_ms: 60_000,
  queue_ms: 24 * 60 * 60 * 1_000,
};

export interface RelayCore {
  readonly connect: (peer: PeerPort) => Connection;
  /** Ends every connection of a device here: it was revoked (CHT-93). */
  readonly dismiss: (device_id: string) => void;
  /** The same on every relay of this ledger. */
  readonly revoke: (device_id: string) => void;
  /** Looks in the ledger for what no note told of: after the bus or the database was away, or another keeps the house. */
  readonly resync: () => Promise<void>;
  /** Tells everyone to come back later, waits for what was begun, and ends every connection (CHT-259). */
  readonly stop: () => Promise<void>;
}
