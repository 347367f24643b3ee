import { BridgeError } from '@drawbridge/protocol';
import type { CoreClock } from '../../core/ports.ts';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import { overLimit } from './over-limit.ts';
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts';

/** How often a device calls the primitives that take room in a browser or on its disk. */
export interface CallQuota {
  /** Undefined when it may be called now. */
  readonly problem: (device_id: string, name: string) => BridgeError | undefined;
}

interface Counted {
  readonly limit: keyof RelayLimits;
  readonly what: string;
  readonly buckets: TokenBuckets;
  readonly refused: () => void;
}

const HOUR_S = 3_600;

export function createCallQuota({
  clock,
  limits,
  metrics,
}: {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
}): CallQuota {
  const anHour = (limit: keyof RelayLimits, what: string): Counted => ({
    ...{ limit, what: `${limits[limit]} ${what} an hour` },
    buckets: createTokenBuckets({
      now: clock.now,
      perSecond: limits[limit] / HOUR_S,
      burst: limits[limit],
    }),
    refused: metrics.figure('over_limit_total', { name: limit }),
  });
  const counted = new Map([
    ['browser.open_tab', anHour('tabs_per_hour', 'new tabs')],
    ['element.upload', anHour('uploads_per_hour', 'uploads')],
  ]);
  return {
    problem(device_id, name) {
      const found = counted.get(name);
      const waitMs = found?.buckets.take(device_id) ?? 0;
      if (found === undefined || waitMs === 0) return undefined;
      found.refused();
      const { limit, retry_after, message } = overLimit(found.limit, waitMs, found.what);
      return new BridgeError('permission_denied', message, { evidence: { limit, retry_after } });
    },
  };
}
