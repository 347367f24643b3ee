import type { IncomingMessage } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { CoreClock } from '../../core/ports.ts';
import type { Credentials } from '../guard/credentials.ts';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import type { RelayEnv } from '../relay-env.ts';
import type { InFlight } from './in-flight.ts';
import { type OverLimit, overLimit, refuseOverLimit } from './over-limit.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** Rate of a device's requests and upgrades of any kind; a long body counts as several. */
export type RequestPace = ReturnType<typeof createRequestPace>;

export interface RequestRateLimitOptions {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
}

const HOLD_MS = 1_000;

export function createRequestPace({ clock, limits, metrics }: RequestRateLimitOptions) {
  const { requests_per_second: perSecond, request_burst: burst, request_unit } = limits;
  const { refusals_per_second: refusals } = limits;
  const { now } = clock;
  const buckets = createTokenBuckets({ now, perSecond, burst });
  const refusalBuckets = createTokenBuckets({ now, perSecond: refusals, burst: refusals });
  const tooFast = metrics.counter('over_limit_total', { name: 'requests_per_second' });
  const held = metrics.counter('over_limit_total', { name: 'refusals_per_second' });
  metrics.gauge('limit_used', buckets.mostUsed, { name: 'request_burst' });
  return {
    /** Undefined when the request may continue. */
    take(device_id: string): OverLimit | undefined {
      const waitMs = buckets.take(device_id);
      if (waitMs === 0) return undefined;
      tooFast();
      return overLimit('requests_per_second', waitMs, `${perSecond} requests a second`);
    },
    /** For a body: an upload's declared length before it is read, the rest afterwards. */
    charge: (device_id: string, bytes: number) => buckets.charge(device_id, Math.floor(bytes / request_unit)),
    /** Resolves when a refusal may be answered: the connection of a device that does not wait is left unread for a second. */
    async held(key: string): Promise<void> {
      if (refusalBuckets.take(key) === 0) return;
      held();
      await new Promise<void>((resolve) => void clock.after(HOLD_MS, resolve));
    },
  };
}

export interface PacedRequestsOptions {
  readonly credentials: Credentials;
  readonly requests: RequestPace;
  readonly inFlight: InFlight;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
}

const PACED = /^\/(?:api|mcp|bridge)(?:\/|$)/;

/** The halt and the revocation of a device work for a device over every limit. */
const isBrake = (method: string, path: string): boolean =>
  (method === 'POST' && path === '/api/halt') ||
  (method === 'DELETE' && /^\/api\/devices\/[^/]+$/.test(path));

/** Assumed size of a body without a length. */
const UNTOLD_BYTES = 4 * 1_048_576;

const lengthOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : UNTOLD_BYTES;

export function limitRequestRate(options: PacedRequestsOptions): MiddlewareHandler<RelayEnv> {
  const { credentials, requests, inFlight, limits, metrics } = options;
  const { open_requests, bytes_in_flight, request_unit } = limits;
  const open = new Map<string, number>();
  const tooMany = metrics.counter('over_limit_total', { name: 'open_requests' });
  metrics.gauge('limit_used', () => Math.max(0, ...open.values()), { name: 'open_requests' });

  return async (context, next) => {
    const { incoming, outgoing, origin } = context.env;
    const { method, path } = context.req;
    if (!PACED.test(path) || isBrake(method, path)) return next();
    const shown = await credentials.identify(incoming, origin);
    if (shown === undefined || typeof shown === 'string') return next();
    const { device_id } = shown;
    const there = open.get(device_id) ?? 0;
    if (there >= open_requests) {
      tooMany();
      context.header('connection', 'close');
      return refuseOverLimit(context, overLimit('open_requests', 1_000, `${open_requests} open requests`));
    }
    open.set(device_id, there + 1);
    outgoing.once('close', () => {
      const left = (open.get(device_id) ?? 1) - 1;
      if (left === 0) open.delete(device_id);
      else open.set(device_id, left);
    });
    const length = lengthOf(incoming);
    const refuse = async (over: OverLimit): Promise<Response> => {
      await requests.held(device_id);
      // A refused body is not read.
      if (length > request_unit) context.header('connection', 'close');
      return refuseOverLimit(context, over);
    };
    const over = requests.take(device_id);
    if (over !== undefined) return refuse(over);
    // Files go to the disk as they come, and have a quota there.
    const isUpload = path.startsWith('/api/files');
    const giveBack = inFlight.take(device_id, isUpload ? 0 : length);
    if (giveBack === undefined) {
      return refuse(overLimit('bytes_in_flight', 1_000, `${bytes_in_flight} bytes under way`));
    }
    const before = incoming.socket.bytesRead;
    // An upload is paid for before it comes: a device could begin many.
    const declared = isUpload ? Number(incoming.headers['content-length'] ?? 0) : 0;
    requests.charge(device_id, declared);
    outgoing.once('close', () => {
      giveBack();
      requests.charge(device_id, Math.max(0, incoming.socket.bytesRead - before - declared));
    });
    return next();
  };
}
