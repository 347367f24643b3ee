import type { Clock } from '@drawbridge/base';
import type { EventRecord, JsonObject, Ledger } from '@drawbridge/ledger';
import type { Machine } from '@drawbridge/protocol/http';
import type { EventType, FrameOf } from './frames.ts';
import type { ScheduledSends } from './scheduled-sends.ts';
import type { LiveSession } from './sessions.ts';

/** Everything that the core is given. The core has no clock, randomness, socket or disk. */
export interface CorePorts {
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  /** A new unique id: `id('conn')` is `conn_…`. */
  readonly id: (kind: string) => string;
  /** Undefined on a single relay. */
  readonly bus?: Bus | undefined;
  /** Reports a bug or a ledger failure that no peer can be sent. */
  readonly onError: (error: unknown) => void;
  /** Time from a send's acceptance to its delivery, both seen by this process. */
  readonly onDelivered?: (seconds: number) => void;
}

/** `now` is for timestamps only, never for timeouts (CHT-114). */
export type CoreClock = Clock;

/** From the credential alone, never from a peer's own claim (CHT-85). A peer without one is a stranger. */
export const ROLES = ['owner', 'person', 'proxy', 'runtime', 'agent'] as const;
export type Role = (typeof ROLES)[number];

export interface Identity {
  readonly device_id: string;
  readonly roles: readonly Role[];
  /** The device's name, as in "answered on Phone". */
  readonly label: string;
  /** With any `session:ID` scope the device sees those sessions and no others (CHT-92). */
  readonly scopes: readonly string[];
}

/**
 * `live`: an event as it happens; counts towards the unread limit (CHT-98). `answer`: to one peer. `history`:
 * as fast as the peer reads, and never counted (CHT-99).
 */
export type SendClass = 'live' | 'answer' | 'history';

/** One open socket. */
export interface PeerPort {
  /** Undefined for a stranger. */
  readonly identity: Identity | undefined;
  /** False when the peer has left too much unread: it gets nothing more. */
  readonly send: (text: string, sendClass: SendClass) => boolean;
  /** Resolves when the peer has read everything sent, or is gone. */
  readonly drained: () => Promise<void>;
  /** Bytes that the peer has not read yet. */
  readonly unread?: () => number;
  /** Counts the work that one frame caused as more frames of its device. */
  readonly charge?: (frames: number) => void;
  /** Reads nothing from the peer while held, so that it waits in its own queue. */
  readonly hold?: (isHeld: boolean) => void;
  readonly close: (code: number, reason: string) => void;
}

/** Calls from a socket's port to the core. */
export interface Connection {
  readonly connection_id: string;
  readonly receive: (text: string) => void;
  /** The socket has ended. Idempotent. */
  readonly closed: () => void;
}

/** Bus between the nodes of one ledger. Messages may be lost or repeated; the ledger is the source of truth. */
export interface Bus {
  /** Every node receives the message, this one too. */
  readonly publish: (message: BusMessage) => void;
  /**
   * Asks the other nodes, at most once: resolves with the first that acknowledges, or with undefined, at the
   * latest after the timeout. A caller that needs more asks again with the same id. Never rejects.
   */
  readonly request: (message: BusRequest, timeout_ms: number) => Promise<string | undefined>;
  readonly onMessage: (listener: BusListener) => () => void;
}

/** `acknowledge` answers a request with the node's id; for a published message it does nothing. */
export type BusListener = (message: BusMessage, acknowledge: (node_id: string) => void) => void;

/** An event as committed, without the hashes, which only the ledger checks. */
export type RelayEvent = Omit<EventRecord, 'prev_hash' | 'hash'>;

/** `user_message` is a `message_event` with a text of a person, or one that an agent reports as its user's. */
export type EventKind = EventType | 'user_message';

/** `before` is the session object before the event. */
export type EventListener = (
  event: RelayEvent,
  session: LiveSession | undefined,
  before: LiveSession['shown'],
) => void;

/** Calls the listener for events of these kinds, each once and in order, until the returned function is called. */
export type OnEvents = (kinds: readonly EventKind[], listener: EventListener) => () => void;

/** A session's latest sequence known to a node. */
export interface Head {
  readonly session_id: string;
  readonly head: number;
}

/**
 * Addressee of a text: a device; with a `client_id` that client of it (CHT-191); with a `connection_id` only
 * that connection.
 */
export interface Addressee {
  readonly device_id: string;
  readonly client_id: string | null;
  readonly connection_id: string | null;
}

/** A core's `node_id` is new at each start. */
export type BusMessage =
  /** Events just committed, in order, for nodes with watchers of the session. */
  | { readonly kind: 'appended'; readonly session_id: string; readonly events: readonly RelayEvent[] }
  /** Text added to a message that is being written, as a frame; a lost one is in the next event. */
  | {
      readonly kind: 'grown';
      readonly session_id: string;
      readonly text: string;
      /** The feature of a frame other than `message_append`. */
      readonly feature?: string;
    }
  | (Addressee & {
      readonly kind: 'client_message';
      readonly delivery_id: string;
      readonly text: string;
      /** Only connections that list it get the text. */
      readonly feature?: string;
    })
  /** A forwarded command, for the leader. */
  | {
      readonly kind: 'command';
      readonly command_id: string;
      readonly node_id: string;
      readonly connection_id: string;
      readonly identity: Identity;
      readonly client_id: string | null;
      readonly features: readonly string[];
      readonly text: string;
    }
  /** Node heartbeat, each second, with recent facts that may have been lost. */
  | {
      readonly kind: 'heartbeat';
      readonly node_id: string;
      /** True on the leader. */
      readonly is_leader: boolean;
      readonly heads: readonly Head[];
      /** Connections that forwarded a command, and have ended. */
      readonly left: readonly string[];
      /** Device ids. */
      readonly revoked: readonly string[];
    }
  /** Messages between servers; the core ignores them. */
  | { readonly kind: 'node'; readonly node_id: string; readonly facts: JsonObject };

/** Messages that one node acknowledges. */
export type BusRequest = BusMessageOf<'client_message' | 'command'>;

export type BusMessageOf<Kind extends BusMessage['kind']> = Extract<BusMessage, { kind: Kind }>;

/** Timeouts and intervals, with defaults. */
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

export interface PendingSends {
  readonly queued: number;
  readonly inFlight: number;
}

export interface RelayCore {
  readonly connect: (peer: PeerPort) => Connection;
  /** Machines whose proxies are connected to this node. */
  readonly machines: () => readonly Machine[];
  /** On the leader. */
  readonly scheduledSends: ScheduledSends;
  readonly onEvents: OnEvents;
  /** Dispatches and publishes events that a service committed itself, in order. */
  readonly appended: (session_id: string, events: readonly RelayEvent[]) => void;
  /** Sends without an outcome, of the sessions that this node knows. */
  readonly pendingSends: () => PendingSends;
  /** On the leader: a person stopped the agent of a session, whether its proxy is there or not (CHT-344). */
  readonly onAgentStopped: (listener: (session_id: string) => void) => () => void;
  /** On the leader: an agent that a person launched has started. */
  readonly onLaunched: (
    listener: (session_id: string, launch: FrameOf<'launch_session'>) => void,
  ) => () => void;
  /** Ends every connection of a revoked device on this node (CHT-93). */
  readonly dismiss: (device_id: string) => void;
  /** Ends them on every node. */
  readonly revoke: (device_id: string) => void;
  /**
   * Reads from the ledger what the bus missed: after an outage of the bus or the database, or a leader
   * change.
   */
  readonly resync: () => Promise<void>;
  /** Sends reconnect hints, waits for work under way, and ends every connection (CHT-259). */
  readonly stop: () => Promise<void>;
}
