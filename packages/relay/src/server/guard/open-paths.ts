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
    : /^\/api\/(?:agent\/interact$|session\/|pusher\/)/.test(pathOf(request));

/** No page has such an Origin. */
export const isFromExtension = ({ headers }: IncomingMessage): boolean =>
  /^chrome-extension:\/\/[a-z]{1,64}$/.test(headers.origin ?? '');

/** It has no token before it is paired: the secret of its link is what lets it in, and never for a cookie. */
export const isPairing = (request: IncomingMessage): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/pair';

/**
 * CHT-288: a WebSocket of a browser does not show a status (https://websockets.spec.whatwg.org/#feedback-from-the-protocol), so that a device
 * that was revoked would come back for ever. A page of somebody else is told nothing.
 */
export const isTold = (request: IncomingMessage, origin: RequestOrigin): boolean =>
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

/** Whatever is no page: what a browser shows of it would be read by whoever drives that browser. */
const PROGRAM_PATH = /^\/(?:api|mcp|bridge|apps|metrics)(?:\/|$)/;
/** https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header */
const SHOWN: ReadonlySet<unknown> = new Set(['document', 'iframe', 'frame', 'embed', 'object']);
/** The web app saves these by navigating to them; each is answered as an attachment, never shown. */
const SAVED = /^\/api\/(?:files\/[^/]+|sessions\/[^/]+\/export)$/;

/** A navigation to, or a frame of, an address that is for programs. */
export function isShownPage(request: IncomingMessage): boolean {
  const dest = request.headers['sec-fetch-dest'];
  const path = pathOf(request);
  if (!SHOWN.has(dest) || !PROGRAM_PATH.test(path)) return false;
  return !(dest === 'document' && request.method === 'GET' && SAVED.test(path));
}
