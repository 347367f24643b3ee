export const SUBPROTOCOL = 'drawbridge';
export const BEARER_PREFIX = 'bearer.';
export const PROOF_PREFIX = 'proof.';

/** The used part of a WebSocket. */
export interface SocketLike {
  readonly protocol: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

export const SOCKET_OPEN = 1;
export const SOCKET_CLOSED = 3;

export const openSocket = (url: string, protocols: string[]): SocketLike => new WebSocket(url, protocols);
