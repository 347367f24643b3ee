import type { MiddlewareHandler } from 'hono';
import type { CoreClock } from '../../core/ports.ts';
import type { Credentials } from '../guard/credentials.ts';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import type { RelayEnv } from '../relay-env.ts';
import { overLimit, refuseOverLimit } from './over-limit.ts';
import { createTokenBuckets } from './token-buckets.ts';

export interface RequestPaceOptions {
  readonly credentials: Credentials;
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
}

const PACED = /^\/(?:api|mcp|bridge)(?:\/|$)/;

/** Stopping everything and revoking a device work for a device that is beyond every limit. */
const isBrake = (method: string, path: string): boolean =>
  (method === 'POST' && path === '/api/halt') ||
  (method === 'DELETE' && /^\/api\/devices\/[^/]+$/.test(path));

/** So many requests a second of a device, whatever they ask for; a long body counts as several. */
export function paceRequests(options: RequestPaceOptions): MiddlewareHandler<RelayEnv> {
  const { credentials, clock, limits, metrics } = options;
  const { requests_per_second: perSecond, request_burst: burst, request_unit, open_requests } = limits;
  const buckets = createTokenBuckets({ now: clock.now, perSecond, burst });
  const open = new Map<string, number>();
  const tooFast = metrics.figure('over_limit_total', { name: 'requests_per_second' });
  const tooMany = metrics.figure('over_limit_total', { name: 'open_requests' });

  return async (context, next) => {
    const { incoming, outgoing, origin } = context.env;
    const { method, path } = context.req;
    if (!PACED.test(path) || isBrake(method, path)) return next();
    const shown = await credentials.identify(incoming, origin);
    if (shown === undefined || typeof shown === 'string') return next();
    const { device_id } = shown;
    const waitMs = buckets.take(device_id);
    if (waitMs > 0) {
      tooFast();
      return refuseOverLimit(
        context,
        overLimit('requests_per_second', waitMs, `${perSecond} requests a second`),
      );
    }
    const there = open.get(device_id) ?? 0;
    if (there >= open_requests) {
      tooMany();
      return refuseOverLimit(context, overLimit('open_requests', 1_000, `${open_requests} open requests`));
    }
    open.set(device_id, there + 1);
    const before = incoming.socket.bytesRead;
    outgoing.once('close', () => {
      buckets.charge(device_id, Math.floor((incoming.socket.bytesRead - before) / request_unit));
      const left = (open.get(device_id) ?? 1) - 1;
      if (left === 0) open.delete(device_id);
      else open.set(device_id, left);
    });
    return next();
  };
}
