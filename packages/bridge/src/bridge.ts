import type {
  ActionCall,
  ActionProgress,
  Asker,
  BridgeItem,
  HeldGrant,
  RuntimeReady,
  RuntimeStatus,
} from '@drawbridge/protocol';

/** One end of a connection as the bridge sees it. Items go out in the order they are sent. */
export interface Peer {
  readonly send: (item: BridgeItem) => void;
  /** The bridge is done with this peer: it misbehaved, or another took its place. */
  readonly close?: (reason: string) => void;
  /**
   * Whose it is, from its credential: a device. A runtime takes the place of another only within one owner, as
   * two browsers number their tabs alike.
   */
  readonly owner?: string;
  /** Where a runtime's questions go (BRG-162). Without it they are denied. */
  readonly asker?: Asker;
}

/** What a transport does with what comes in. Nothing here throws: bad items are answered. */
export interface Connection {
  /** An item as JSON text, or as a value. */
  readonly receive: (item: unknown) => void;
  /** The transport ended. Calls that wait for this runtime get `transport_failed`. */
  readonly close: (reason?: string) => void;
}

/** A call as an agent in this process makes it: the bridge gives it its `call_id` unless it has one. */
export type CallRequest = Omit<ActionCall, 'type' | 'call_id'> & { readonly call_id?: string };

export interface CallOptions {
  readonly onProgress?: (progress: ActionProgress) => void;
  /** Whose call it is; see `Peer`. */
  readonly owner?: string;
}

export interface PendingCall {
  readonly call_id: string;
  /** The output; fails with a BridgeError. */
  readonly output: Promise<unknown>;
  /** Tells the runtime to stop, and ends the call with `handler_failed` and `cancelled` in its evidence. */
  readonly cancel: (reason?: string) => void;
}

/** A runtime as it last described itself. */
export interface RuntimeView {
  readonly runtime_id: string;
  readonly ready: RuntimeReady;
  /** Everything its statuses said so far, the latest word on each field. */
  readonly status?: RuntimeStatus;
  /** What it says it can do, in `runtime_ready` or in its map's primitive dictionary; absent when in neither. */
  readonly capabilities?: readonly string[];
  /** What its calls may do without asking; absent when it does not say. */
  readonly grants?: readonly HeldGrant[];
  /** `quiet`: it has said nothing for a while and is probed before the next call. */
  readonly liveness: 'awake' | 'quiet';
}

export type BridgeEvent =
  | { readonly kind: 'runtime'; readonly runtime: RuntimeView }
  | { readonly kind: 'gone'; readonly runtime_id: string; readonly reason: string }
  | { readonly kind: 'item'; readonly item: BridgeItem };

/** Three sides meet here; no sockets. Agents and runtimes of this process use it as remote ones do. */
export interface Bridge {
  readonly connectRuntime: (peer: Peer) => Connection;
  /** What is known of each runtime is sent to it before this returns (BRG-116). */
  readonly connectAgent: (peer: Peer) => Connection;
  readonly call: (request: CallRequest, options?: CallOptions) => PendingCall;
  readonly runtimes: () => readonly RuntimeView[];
  /** Runtimes that come, change and go, and what they say unasked (`dom_event`, runtime-scoped `action_error`). */
  readonly watch: (listener: (event: BridgeEvent) => void) => () => void;
  /** Ends every pending call, whoever made it, as its caller's own cancel would. Returns how many. */
  readonly cancelAll: (reason: string) => number;
  /** Tells a runtime to take a grant back, or all of its grants; every runtime when none is named. Returns how many were told. */
  readonly revokeGrants: (of?: { readonly runtime_id: string; readonly grant_id?: string }) => number;
  readonly close: () => void;
}
