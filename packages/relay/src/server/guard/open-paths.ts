import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestOrigin } from './request-origin.ts';

export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

/** Other protocols (h2c) are ignored, as a server may: https://www.rfc-editor.org/rfc/rfc9110#section-7.8 */
export const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** INT-71: an extension calls these with its token, from whatever Origin it has. No browser sends a token unasked. */
export const isOpenToTokens = (request: IncomingMessage): boolean =>
  isFromExtension(request)
    ? pathOf(request).startsWith('/api/')
    : /^\/api\/(?:agent\/interact$|session(?:\/|$)|pusher\/)/.test(pathOf(request));

/** No page has such an Origin. */
export const isFromExtension = ({ headers }: IncomingMessage): boolean =>
  /^chrome-extension:\/\/[a-z]{1,64}$/.test(headers.origin ?? '');

/** An unpaired device has no token: the secret of its link authorizes it, and never a cookie. */
export const isPairing = (request: IncomingMessage): boolean =>
  request.method === 'POST' && /^\/api\/(?:pair|v1\/auth\/login)$/.test(pathOf(request));

/**
 * CHT-288: a browser's WebSocket does not expose the status
 * (https://websockets.spec.whatwg.org/#feedback-from-the-protocol), so a revoked device would reconnect for
 * ever. A page of another origin learns nothing.
 */
export const isAnnounced = (request: IncomingMessage, origin: RequestOrigin): boolean =>
  /(?:^|[ ,])bearer\./.test(request.headers['sec-websocket-protocol'] ?? '') &&
  (origin !== 'foreign' || isFromExtension(request));

export function allowOrigin({ headers: { origin = '' } }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, idempotency-key, mcp-protocol-version, mcp-session-id',
  );
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  response.setHeader('vary', 'origin');
}

/**
 * Every path that is not a page: whatever a browser shows of it could be read by an agent that drives the
 * browser.
 */
const PROGRAM_PATH = /^\/(?:api|mcp|bridge|apps|metrics)(?:\/|$)/;
/** https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header */
const SHOWN: ReadonlySet<unknown> = new Set(['document', 'iframe', 'frame', 'embed', 'object']);
/** The web app saves these by navigating to them; each is answered as an attachment, never shown. */
const SAVED = /^\/api\/(?:files\/[^/]+|sessions\/[^/]+\/export)$/;

/** A navigation to an address for programs, or a frame of one. */
export function isShownPage(request: IncomingMessage): boolean {
  const dest = request.headers['sec-fetch-dest'];
  const path = pathOf(request);
  if (!SHOWN.has(dest) || !PROGRAM_PATH.test(path)) return false;
  return !(dest === 'document' && request.method === 'GET' && SAVED.test(path));
}
