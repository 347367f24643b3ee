import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';

export type Method = keyof ProtocolMapping.Commands;
export type Params<M extends Method> = ProtocolMapping.Commands[M]['paramsType'];
export type Result<M extends Method> = ProtocolMapping.Commands[M]['returnType'];
export type EventName = keyof ProtocolMapping.Events;
export type EventParams<E extends EventName> = ProtocolMapping.Events[E][0];

export interface IncomingMessage {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
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

// Trusts the browser: we started it, or a person attached us to it.

export function parseMessage(text: string): IncomingMessage {
  return JSON.parse(text) as IncomingMessage;
}

export function parseResult<M extends Method>(value: unknown): Result<M> {
  return value as Result<M>;
}

export function parseParams<E extends EventName>(value: unknown): EventParams<E> {
  return value as EventParams<E>;
}
