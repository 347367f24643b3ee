import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { bearerOf, pickSubprotocol } from '@drawbridge/link/node';
import { LIMITS } from '@drawbridge/protocol';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hono } from 'hono';
import { WebSocketServer } from 'ws';
import { type LeaderProxy, refuseUpgrade, unavailable } from '../cluster/leader-proxy.ts';
import type { ProxySignature } from '../cluster/proxy-signature.ts';
import { CLOSE_CODES } from '../core/connection.ts';
import type { CoreClock } from '../core/ports.ts';
import { isIdentity, type Shown } from '../devices/auth-middleware.ts';
import { addressKey } from '../devices/failure-limiter.ts';
import type { ChatPort } from './chat/chat-port.ts';
import { limitBody } from './guard/body-timeout.ts';
import { addressOf, type Credentials, cameFrom } from './guard/credentials.ts';
import { isUnforwarded } from './guard/forwarding.ts';
import { isHangUp } from './guard/hang-up.ts';
import {
  allowOrigin,
  isAnnounced,
  isFromExtension,
  isOpenToTokens,
  isPairing,
  isShownPage,
  pathOf,
} from './guard/open-paths.ts';
import { REFUSALS, type Refusal, type RefusalReason, refusalBody } from './guard/refusal.ts';
import { type GuardOptions, isFromOtherPage, originOf, type RequestOrigin } from './guard/request-origin.ts';
import { SECURITY_HEADERS } from './guard/security-headers.ts';
import { createStrangerPace } from './guard/stranger-pace.ts';
import { errorFacts, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { RelayLimits } from './options.ts';
import type { RequestPace } from './quotas/request-rate-limit.ts';
import type { RelayEnv } from './relay-env.ts';
import { CHAT_PATH, createSocketRoutes, type LeaderSockets } from './socket-routes.ts';

export interface RequestRouterOptions {
  readonly app: Hono<RelayEnv>;
  readonly guard: GuardOptions;
  readonly trustedProxy: boolean;
  readonly credentials: Credentials;
  readonly chat: ChatPort;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly requests: RequestPace;
  /** Undefined on a follower. */
  readonly services: LeaderSockets | undefined;
  /** Set where this relay is one of several nodes. */
  readonly nodes?: NodeRouting | undefined;
}

export interface NodeRouting {
  /** Verifies requests that another node has proxied. */
  readonly signature: ProxySignature;
  /** Proxies to the leader. */
  readonly leaderProxy: LeaderProxy;
}

export type RequestRouter = ReturnType<typeof createRequestRouter>;

/** How a request arrived: directly, or from another node with that node's findings. */
interface Arrival {
  readonly origin: RequestOrigin;
  readonly isPassed: boolean;
}

/** More fragments than this are an attack: no client sends a megabyte by the kilobyte. */
const MAX_FRAGMENTS = 1_024;
/** Every path but the pages that each node serves. */
const LEADER_PATH = /^\/(?:api|mcp|bridge|apps)(?:\/|$)/;

const JSON_TYPE = { 'content-type': 'application/json' };

/** Checks Host, Origin and credential of every request before anything else sees it. */
export function createRequestRouter(options: RequestRouterOptions) {
  const {
    app,
    guard,
    trustedProxy,
    credentials,
    chat,
    services,
    nodes,
    metrics,
    log,
    clock,
    limits,
    requests,
  } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // `ws` counts bytes, the limit characters of up to three bytes each.
    maxPayload: 3 * LIMITS.frame.value,
    maxFragments: MAX_FRAGMENTS,
    handleProtocols: pickSubprotocol,
    // Pongs to a flood of pings would pile up for a peer that does not read.
    autoPong: false,
  });
  const answering = new Map<ServerResponse, IncomingMessage>();
  const strangersTurn = createStrangerPace({
    clock,
    perSecond: limits.stranger_requests_per_second,
    burst: limits.stranger_request_burst,
  });
  let isShut = false;

  const refused = (reason: RefusalReason): Refusal => {
    metrics.counter('refused_total', { reason })();
    return REFUSALS[reason];
  };
  const refuse = (outgoing: ServerResponse, refusal: Refusal): void =>
    void outgoing.writeHead(refusal.status, JSON_TYPE).end(refusalBody(refusal));
  const addressKeyOf = (incoming: IncomingMessage): string => addressKey(addressOf(incoming, trustedProxy));
  const socketRoutes = createSocketRoutes({
    chat,
    services,
    isShut: () => isShut,
    addressOf: addressKeyOf,
    refused,
  });
  const elsewhere = services === undefined ? nodes?.leaderProxy : undefined;

  const arrive = (request: IncomingMessage): Arrival | Refusal => {
    const passed = nodes?.signature.open(request);
    if (passed !== undefined) {
      cameFrom(request, passed.address);
      return { origin: passed.origin, isPassed: true };
    }
    const origin = originOf(request, guard);
    if (origin === undefined) return refused('host');
    if (trustedProxy && isUnforwarded(request)) return refused('unforwarded');
    return { origin, isPassed: false };
  };

  const isAdmitted = (request: IncomingMessage, origin: RequestOrigin): boolean => {
    if (bearerOf(request) !== undefined) return true;
    if (socketRoutes.isForTasks(request) || socketRoutes.isForPusher(request)) return true;
    if (request.method === 'OPTIONS' && isOpenToTokens(request)) return true;
    if (isFromExtension(request) && isPairing(request)) return true;
    return origin !== 'foreign' && !(isFromOtherPage(request) && pathOf(request).startsWith('/api/'));
  };

  const passed = (request: IncomingMessage, { origin }: Arrival) => ({
    origin,
    address: addressOf(request, trustedProxy),
  });

  /** Milliseconds after which a stranger may try again, 0 for everybody else. */
  const strangerMustWait = async (incoming: IncomingMessage, origin: RequestOrigin): Promise<number> => {
    const shown = await credentials.identify(incoming, origin);
    if (isIdentity(shown) || shown === 'stale') return 0;
    return strangersTurn(addressKeyOf(incoming));
  };

  const overStrangers = (waitMs: number): Refusal & { readonly retry_after: number } => {
    metrics.counter('refused_total', { reason: 'stranger_pace' })();
    const retry_after = Math.ceil(waitMs / 1_000);
    const message = `This address has reached its limit of ${limits.stranger_requests_per_second} requests a second without a credential. Try again in ${retry_after} s, or send a token.`;
    return { status: 429, code: 'rate_limited', message, retry_after };
  };

  const request = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    limitBody(incoming, outgoing, clock, limits.body_seconds);
    const arrival = arrive(incoming);
    if (!('status' in arrival) && elsewhere !== undefined && LEADER_PATH.test(pathOf(incoming))) {
      // The sender took this node for the leader, and will learn of the new one soon.
      if (arrival.isPassed || isShut) return unavailable(outgoing);
      return elsewhere.request(incoming, outgoing, passed(incoming, arrival));
    }
    answering.set(outgoing, incoming);
    outgoing.on('close', () => answering.delete(outgoing));
    for (const [name, value] of SECURITY_HEADERS) outgoing.setHeader(name, value);
    if ('status' in arrival) return refuse(outgoing, arrival);
    const { origin } = arrival;
    if (isShownPage(incoming)) return refuse(outgoing, refused('shown'));
    const isCalled = isAdmitted(incoming, origin);
    const isReadable = isCalled || isFromExtension(incoming);
    if (origin === 'allowed' || (origin === 'foreign' && isReadable && isOpenToTokens(incoming))) {
      allowOrigin(incoming, outgoing);
    }
    if (!isCalled) {
      // A page of another origin learns nothing.
      if (!isReadable) return void outgoing.writeHead(refused('origin').status).end();
      outgoing.setHeader('www-authenticate', 'Bearer');
      return refuse(outgoing, refused('tokenless'));
    }
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204).end();
    const waitMs = await strangerMustWait(incoming, origin);
    // Requests that came with too many others: their connection is closed.
    if (incoming.socket.destroyed) return;
    if (waitMs > 0) {
      const over = overStrangers(waitMs);
      const { code, message, retry_after } = over;
      const error = { code, message, limit: 'stranger_requests_per_second', retry_after };
      outgoing.writeHead(over.status, { ...JSON_TYPE, 'retry-after': String(retry_after) });
      return void outgoing.end(JSON.stringify({ error, message }));
    }
    const fetch = async (asked: Request): Promise<Response> => {
      const answer = await app.fetch(asked, { incoming, outgoing, origin });
      // A body that timed out has been answered already.
      return outgoing.headersSent ? RESPONSE_ALREADY_SENT : answer;
    };
    await getRequestListener(fetch)(incoming, outgoing);
  };

  const upgrade = async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => {});
    const arrival = arrive(incoming);
    if ('status' in arrival) return refuseUpgrade(socket, arrival);
    const proxyToLeader = (): void => {
      if (elsewhere === undefined || arrival.isPassed || isShut) refuseUpgrade(socket, REFUSALS.stopping);
      else elsewhere.upgrade(incoming, socket, head, passed(incoming, arrival));
    };
    if (elsewhere !== undefined && pathOf(incoming) !== CHAT_PATH) return proxyToLeader();
    const { origin } = arrival;
    if (!isAdmitted(incoming, origin)) return refuseUpgrade(socket, refused('origin'));
    const isTask = socketRoutes.isForTasks(incoming);
    const shown = await (isTask ? credentials.identifyForTasks : credentials.identify)(incoming, origin);
    if (elsewhere !== undefined && isProxy(shown)) return proxyToLeader();
    const over = isIdentity(shown) ? requests.take(shown.device_id) : undefined;
    if (isIdentity(shown) && over !== undefined) {
      await requests.held(shown.device_id);
      metrics.counter('refused_total', { reason: 'pace' })();
      return refuseUpgrade(socket, { status: 429, code: 'rate_limited', message: over.message });
    }
    const waitMs = isIdentity(shown) ? 0 : await strangersTurn(addressKeyOf(incoming));
    if (waitMs > 0) return refuseUpgrade(socket, overStrangers(waitMs));
    // No await from here on: a device revoked during a wait, or one stranger too many, would get in.
    const route = socketRoutes.of(incoming, origin, shown);
    if (route === REFUSALS.credential && shown === 'refused' && isAnnounced(incoming, origin)) {
      sockets.handleUpgrade(incoming, socket, head, (accepted) =>
        accepted.close(CLOSE_CODES.unauthorized, 'unauthorized'),
      );
    } else if (typeof route !== 'function') refuseUpgrade(socket, route);
    else sockets.handleUpgrade(incoming, socket, head, (accepted) => route(accepted, socket));
  };

  return {
    request: (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      request(incoming, outgoing).catch((error: unknown) => {
        if (!isHangUp(incoming, error)) log('request_failed', errorFacts(error));
        outgoing.destroy();
      });
    },
    upgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
      upgrade(incoming, socket, head).catch((error: unknown) => {
        log('upgrade_failed', errorFacts(error));
        refuseUpgrade(socket, REFUSALS.failed);
      });
    },
    /** Ends the responses and uploads of a revoked device. */
    dismiss(device_id: string): void {
      for (const [outgoing, incoming] of answering) {
        if (credentials.deviceOf(incoming) !== device_id) continue;
        const isRead = incoming.method === 'GET' || incoming.method === 'HEAD';
        // A complete request that is no read may be the revocation itself, so it gets its answer.
        if (outgoing.headersSent || isRead || !incoming.complete) outgoing.destroy();
      }
    },
    /** Accepts no further connections. */
    shut(): void {
      isShut = true;
      // A connection kept alive for the next request would stop the server from closing.
      for (const outgoing of answering.keys()) outgoing.shouldKeepAlive = false;
    },
    /** Ends the remaining sockets. */
    terminate(): void {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

/** A proxy's chat is on the leader. */
const isProxy = (shown: Shown): boolean => isIdentity(shown) && shown.roles.includes('proxy');
