import { randomUUID } from 'node:crypto';
import { systemClock } from '@drawbridge/link';
import type { CoreClock } from '../core/ports.ts';
import { createFailureLimiter, type FailureLimiter } from '../devices/failure-limiter.ts';
import type { UsedProofs } from '../devices/proof.ts';
import { type ConnectionCap, createConnectionCap } from './guard/connection-cap.ts';
import { createParseGuard, type ParseGuard } from './guard/parse-guard.ts';
import { type Disk, watchDisk } from './health.ts';
import { createLog, errorFacts, type Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { LIMIT_NAMES, RELAY_LIMITS, type RelayLimits, type RelayOptions } from './options.ts';
import { createInFlight, type InFlight } from './quotas/in-flight.ts';
import { createRequestPace, type RequestPace } from './quotas/request-rate-limit.ts';
import { type Certificate, certificateOf } from './tls.ts';

/** Server context: parts that every relay needs, in any role. */
export interface ServerContext {
  readonly options: RelayOptions;
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
  readonly metrics: Metrics;
  readonly failures: FailureLimiter;
  /** Set where several nodes share a ledger. */
  readonly proofs?: UsedProofs;
  readonly connections: ConnectionCap;
  readonly parsing: ParseGuard;
  readonly requests: RequestPace;
  readonly inFlight: InFlight;
  readonly id: (kind: string) => string;
  readonly trustedProxy: boolean;
  readonly certificate: Certificate | undefined;
  readonly disk: Disk;
}

export async function openServerContext(
  options: RelayOptions,
  opened: AsyncDisposableStack,
): Promise<ServerContext> {
  const { data, clock = systemClock, trustedProxy = false, tls } = options;
  const limits = { ...RELAY_LIMITS, ...options.limits };
  const log = createLog(options.log ?? (() => {}), clock.now);
  const certificate =
    tls && (await certificateOf(tls, { data, names: certifiedNames(options), now: clock.now() }));
  const metrics = createMetrics();
  for (const name of LIMIT_NAMES) metrics.gauge('limit', () => limits[name], { name });
  opened.defer(metrics.close);
  const disk = await watchDisk(data);
  opened.defer(disk.close);
  metrics.gauge('disk_free_bytes', () => disk.free);
  const failures = createFailureLimiter(clock, limits.failures_per_minute);
  opened.defer(failures.close);
  const connections = createConnectionCap({
    most: limits.connections_per_address,
    trustedProxy,
    onDropped: metrics.counter('over_limit_total', { name: 'connections_per_address' }),
  });
  const requests = createRequestPace({ clock, limits, metrics });
  const inFlight = createInFlight(limits, metrics);
  return {
    ...{ options, clock, limits, log, metrics, failures, connections, requests, inFlight },
    ...{ trustedProxy, certificate, disk },
    parsing: createParseGuard({ limits, metrics }),
    onError: (error) => log('fault', errorFacts(error)),
    id: (kind) => `${kind}_${randomUUID()}`,
  };
}

/** Without ports: a certificate is for a name. */
function certifiedNames({ hosts = [] }: RelayOptions): readonly string[] {
  return ['localhost', '127.0.0.1', '::1', ...hosts.map((name) => name.replace(/:\d+$/, ''))];
}
