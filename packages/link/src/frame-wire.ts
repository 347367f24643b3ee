import type { Evidence } from './transport-error.ts';

/** One live socket or port: carries texts in order until it ends. Resume is built on top. */
export interface FrameWire {
  readonly send: (frame: string) => void;
  readonly close: (code: number, reason: string) => void;
}

export interface WireEnd {
  /** Set when the peer left for good or refused us: no reconnect. */
  readonly final?: 'closed_by_peer' | 'refused' | 'failed';
  readonly message: string;
  readonly evidence: Evidence;
}

/** WebSocket close codes: https://websockets.spec.whatwg.org and, from 4000 on, ours. */
export const CLOSE_DONE = 1000;
export const CLOSE_GOING_AWAY = 1001;
export const CLOSE_TOO_BIG = 1009;
export const CLOSE_BAD_HELLO = 4400;
export const CLOSE_UNAUTHORIZED = 4401;
export const CLOSE_FORBIDDEN = 4403;
/** The peer reads too slowly or is silent: it may reconnect and resume. */
export const CLOSE_LAGGING = 4408;
/** A newer socket has taken this connection over. */
export const CLOSE_TAKEN_OVER = 4409;
export const CLOSE_TOO_MANY = 4429;

export function endOfSocket(code: number, reason: string): WireEnd {
  const evidence = { close_code: code, close_reason: reason.slice(0, 123) };
  switch (code) {
    case CLOSE_DONE:
      return { final: 'closed_by_peer', message: 'The peer closed the connection.', evidence };
    case CLOSE_UNAUTHORIZED:
    case CLOSE_FORBIDDEN:
      return { final: 'refused', message: 'The peer does not accept the credential. Pair again.', evidence };
    case CLOSE_TOO_BIG:
      return { final: 'failed', message: 'The peer refused a frame as too large.', evidence };
    default:
      return { message: `The connection ended (close code ${code}).`, evidence };
  }
}
