import type { Clock } from '@drawbridge/base';
import type { BridgeError } from '@drawbridge/protocol';
import { systemClock } from './clock.ts';
import { CLOSE_DONE, CLOSE_GOING_AWAY, CLOSE_LAGGING, CLOSE_TAKEN_OVER } from './frame-wire.ts';
import type { ItemLink } from './link.ts';
import { LinkEnd } from './link-end.ts';
import type { OutboxLimits } from './outbox.ts';
import { transportFailed } from './transport-error.ts';

/** The peer, identified by its credential alone. */
export interface Peer {
  readonly credential_id: string;
  /** The role it connected as. A connection is resumed only under the same one. */
  readonly endpoint: string;
}

export interface HubOptions {
  /** Called before the first item: add listeners to the link here. */
  readonly onConnection: (link: ItemLink, peer: Peer) => void;
  readonly clock?: Clock;
  readonly newId?: () => string;
  /** How long a disconnected peer may resume. */
  readonly retainMs?: number;
  /** Per credential and role, including disconnected ones. */
  readonly maxConnections?: number;
  readonly limits?: OutboxLimits;
}

export const RETAIN_MS = 60_000;
export const MAX_CONNECTIONS = 64;

/** Closes the wire with a code. */
export type Release = (code: number, reason: string) => void;

export interface HubConnection {
  readonly id: string;
  readonly peer: Peer;
  readonly link: LinkEnd;
  /** The peer is connected on a wire, which `release` closes when a newer wire takes over. */
  readonly attach: (release: Release) => void;
  /** The peer disconnected, and may resume until the timeout. */
  readonly detach: (error: BridgeError) => void;
  /** The peer sent a request; restarts the idle timeout. */
  readonly touch: () => void;
}

/** A server's connections by id, including those of disconnected peers. A restart forgets them all. */
export class ConnectionHub {
  readonly clock: Clock;
  readonly retainMs: number;
  readonly #options: HubOptions;
  readonly #connections = new Map<string, HubConnection>();
  #closed = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.retainMs = options.retainMs ?? RETAIN_MS;
  }

  get size(): number {
    return this.#connections.size;
  }

  find(peer: Peer, id: string): HubConnection | undefined {
    const found = this.#connections.get(id);
    return found !== undefined && isSame(found.peer, peer) ? found : undefined;
  }

  /** Undefined when this credential has too many, or the hub is closed. */
  open(peer: Peer): HubConnection | undefined {
    if (this.#closed || !this.#hasRoomFor(peer)) return undefined;
    const { newId = () => crypto.randomUUID(), limits, onConnection } = this.#options;
    const connection = this.#connection(newId(), peer, new LinkEnd(limits));
    const { id, link } = connection;
    this.#connections.set(id, connection);
    link.onState(({ kind }) => {
      if (kind === 'closed') this.#connections.delete(id);
    });
    onConnection(link, peer);
    return connection;
  }

  /** Tells peers that the server goes away, so that they retry. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const error = transportFailed('The server is shutting down.', { reason: 'going_away' });
    for (const { link } of [...this.#connections.values()]) link.end('closed_here', error);
  }

  #hasRoomFor(peer: Peer): boolean {
    const own = [...this.#connections.values()].filter((connection) => isSame(connection.peer, peer));
    const { maxConnections = MAX_CONNECTIONS } = this.#options;
    if (own.length < maxConnections) return true;
    const away = own.find(({ link }) => link.state.kind === 'waiting');
    away?.link.end('expired', expired('The peer has opened other connections since.'));
    return away !== undefined;
  }

  #connection(id: string, peer: Peer, link: LinkEnd): HubConnection {
    let release: Release | undefined;
    let stopTimer = () => {};
    const expire = (why: string) => {
      stopTimer();
      stopTimer = this.clock.after(this.retainMs, () => link.end('expired', expired(why)));
    };
    const letGo: Release = (code, reason) => {
      stopTimer();
      const last = release;
      release = undefined;
      last?.(code, reason);
    };
    link.onState(({ kind }) => {
      if (kind !== 'closed') return;
      if (this.#closed) letGo(CLOSE_GOING_AWAY, 'going away');
      else letGo(CLOSE_DONE, 'done');
    });
    return {
      id,
      peer,
      link,
      attach: (next) => {
        letGo(CLOSE_TAKEN_OVER, 'taken over');
        release = next;
      },
      detach: (error) => {
        letGo(CLOSE_LAGGING, 'unusable');
        if (link.isClosed) return;
        expire('The peer did not come back in time.');
        link.become({ kind: 'waiting', until: this.clock.now() + this.retainMs, error });
      },
      touch: () => {
        if (!link.isClosed) expire('The peer has stopped polling.');
      },
    };
  }
}

const isSame = (a: Peer, b: Peer): boolean =>
  a.credential_id === b.credential_id && a.endpoint === b.endpoint;

const expired = (why: string): BridgeError =>
  transportFailed(`The connection has expired. ${why}`, { reason: 'expired' });
