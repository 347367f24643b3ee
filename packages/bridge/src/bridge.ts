import type {
  ActionCall,
  ActionCallOutput,
  ActionError,
  ActionProgress,
  Asker,
  BridgeItem,
  HeldGrant,
  RuntimeReady,
  RuntimeStatus,
} from '@drawbridge/protocol';

/** One end of a connection as the bridge sees it. Items are sent in order. */
export interface Peer {
  readonly send: (item: BridgeItem) => void;
  /** Called before the answer to a call of this agent is sent. Other errors may repeat its `call_id` (BRG-211). */
  readonly onAnswer?: (answer: ActionCallOutput | ActionError) => void;
  /** Closes a peer that misbehaved or was replaced. */
  readonly close?: (reason: string) => void;
  /**
   * The device of its credential. A runtime replaces another only within one owner, as two browsers number
   * their tabs alike.
   */
  readonly owner?: string;
  /** Receives a runtime's questions (BRG-162). Without it they are denied. */
  readonly asker?: Asker;
}

/** Input of a transport. Never throws: invalid items are answered. */
export interface Connection {
  readonly receive: (item: unknown) => void;
  /** The transport ended. Calls pending at this runtime get `transport_failed`. */
  readonly close: (reason?: string) => void;
}

/** A call by a local agent; the bridge assigns a missing `call_id`. */
export type CallRequest = Omit<ActionCall, 'type' | 'call_id'> & { readonly call_id?: string };

export interface CallOptions {
  readonly onProgress?: (progress: ActionProgress) => void;
  /** The caller's owner, see `Peer`. */
  readonly owner?: string;
}

export interface PendingCall {
  readonly call_id: string;
  /** The output; fails with a BridgeError. */
  readonly output: Promise<unknown>;
  /** Stops the runtime, and ends the call with `handler_failed` and `cancelled` in its evidence. */
  readonly cancel: (reason?: string) => void;
}

/** A runtime with its latest description. */
export interface RuntimeView {
  readonly runtime_id: string;
  /** The device of its credential; absent for a local one. */
  readonly owner?: string;
  readonly ready: RuntimeReady;
  /** All statuses merged, the latest value of each field. */
  readonly status?: RuntimeStatus;
  /** Capabilities from `runtime_ready` or from its map's primitive dictionary; absent when in neither. */
  readonly capabilities?: readonly string[];
  /** Grants that need no question; absent when unknown. */
  readonly grants?: readonly HeldGrant[];
  /** `quiet`: silent for a while, so probed before the next call. */
  readonly liveness: 'awake' | 'quiet';
}

export type BridgeEvent =
  | { readonly kind: 'runtime'; readonly runtime: RuntimeView }
  | { readonly kind: 'gone'; readonly runtime_id: string; readonly reason: string }
  | { readonly kind: 'item'; readonly item: BridgeItem };

/** Connects agents, runtimes and local code without sockets. Local agents and runtimes use it like remote ones. */
export interface Bridge {
  readonly connectRuntime: (peer: Peer) => Connection;
  /** Sends the known state of each runtime before it returns (BRG-116). */
  readonly connectAgent: (peer: Peer) => Connection;
  readonly call: (request: CallRequest, options?: CallOptions) => PendingCall;
  readonly runtimes: () => readonly RuntimeView[];
  /** Runtimes that come, change and go, and their unsolicited items (`dom_event`, runtime-scoped `action_error`). */
  readonly watch: (listener: (event: BridgeEvent) => void) => () => void;
  /** Cancels the pending calls of every caller, or of one owner, or those `among` them. Returns their number. */
  readonly cancelAll: (reason: string, owner?: string, among?: ReadonlySet<string>) => number;
  /**
   * Revokes one grant, or all grants, of a runtime; of every runtime when none is named. Returns the number
   * of notified runtimes.
   */
  readonly revokeGrants: (of?: { readonly runtime_id: string; readonly grant_id?: string }) => number;
  /** Gives reading and acting back, in one lent tab or all. Returns the number of notified runtimes. */
  readonly renewGrants: (by: string, runtime_id?: string) => number;
  readonly close: () => void;
}
