import { BridgeError } from '@drawbridge/protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import type { Wire } from './wire.ts';

export type Method = keyof ProtocolMapping.Commands;
export type Params<M extends Method> = ProtocolMapping.Commands[M]['paramsType'];
export type Result<M extends Method> = ProtocolMapping.Commands[M]['returnType'];
export type EventName = keyof ProtocolMapping.Events;
export type EventParams<E extends EventName> = ProtocolMapping.Events[E][0];

interface IncomingMessage {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  /** Typed by the method that it belongs to. */
  readonly params: never;
  readonly result: never;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

/** A command that the browser refused, in its own words. Never sent over our wires. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
  readonly method: string;

  constructor(method: string, message: string) {
    super(message);
    this.method = method;
  }
}

/** The browser itself, or one of its targets. */
export interface Session {
  /** Undefined for the browser itself. */
  readonly id: string | undefined;
  readonly send: <M extends Method>(method: M, ...params: Params<M>) => Promise<Result<M>>;
  readonly on: <E extends EventName>(event: E, listener: (params: EventParams<E>) => void) => () => void;
}

interface Pending {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

type Listeners = Map<string, Set<(params: never) => void>>;

/** One wire to a browser with all its sessions. Pending calls fail when it ends. */
export class Connection {
  readonly browser: Session;
  readonly #wire: Wire;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string | undefined, Listeners>();
  readonly #endListeners = new Set<(reason: string) => void>();
  #ended: string | undefined;
  #sent = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.browser = this.session();
    wire.listen(this.#receive, (reason) => this.#end(reason));
  }

  session(id?: string): Session {
    return {
      id,
      send: (method, ...[params]) => {
        if (this.#ended !== undefined) return Promise.reject(transportFailed(method, this.#ended));
        const { promise, resolve, reject } = Promise.withResolvers<Result<typeof method>>();
        const number = ++this.#sent;
        this.#pending.set(number, { method, sessionId: id, resolve, reject });
        this.#wire.send(JSON.stringify({ id: number, method, params, sessionId: id }));
        return promise;
      },
      on: (event, listener) => this.#on(id, event, listener),
    };
  }

  /** Calls back at once when the connection has already ended. */
  onEnd(listener: (reason: string) => void): void {
    if (this.#ended === undefined) this.#endListeners.add(listener);
    else listener(this.#ended);
  }

  close(): void {
    this.#end('the connection was closed');
    this.#wire.close();
  }

  #on<E extends EventName>(
    sessionId: string | undefined,
    event: E,
    listener: (params: EventParams<E>) => void,
  ): () => void {
    const listeners: Listeners = this.#listeners.get(sessionId) ?? new Map();
    this.#listeners.set(sessionId, listeners);
    const of = listeners.get(event) ?? new Set();
    listeners.set(event, of);
    of.add(listener);
    return () => of.delete(listener);
  }

  #receive = (text: string): void => {
    const { id, sessionId, method, params, result, error } = trustMessage(text);
    if (id !== undefined) {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (error === undefined) pending?.resolve(result);
      else pending?.reject(new CdpError(pending.method, withData(error)));
    } else if (method !== undefined) {
      for (const listener of this.#listeners.get(sessionId)?.get(method) ?? []) listener(params);
      if (method === 'Target.detachedFromTarget') this.#forget(trustDetached(params).sessionId);
    }
  };

  /** A detached session gets no more answers from the browser. */
  #forget(sessionId: string): void {
    this.#listeners.delete(sessionId);
    for (const [id, pending] of this.#pending) {
      if (pending.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      pending.reject(new CdpError(pending.method, 'Inspected target navigated or closed'));
    }
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { method, reject } of pending) reject(transportFailed(method, reason));
    for (const listener of this.#endListeners) listener(reason);
  }
}

function withData({ message, data }: { readonly message: string; readonly data?: string }): string {
  return data === undefined ? message : `${message}: ${data}`;
}

function transportFailed(method: string, reason: string): BridgeError {
  const message = `The browser did not answer ${method}: ${reason}. Start or attach a browser again.`;
  return new BridgeError('transport_failed', message, { evidence: { method, reason } });
}

// Trusts the browser: we started it, or a person attached us to it.

function trustMessage(text: string): IncomingMessage {
  return JSON.parse(text) as IncomingMessage;
}

function trustDetached(params: unknown): EventParams<'Target.detachedFromTarget'> {
  return params as EventParams<'Target.detachedFromTarget'>;
}
