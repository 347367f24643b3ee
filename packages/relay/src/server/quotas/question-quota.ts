import type { Asker } from '@drawbridge/protocol';
import type { CoreClock } from '../../core/ports.ts';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import { overLimit } from './over-limit.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** Questions per minute of one browser: each is stored, and shown to every person. */
export function createQuestionQuota({
  clock,
  limits,
  metrics,
}: {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
}) {
  const { questions_per_minute: most } = limits;
  const buckets = createTokenBuckets({ now: clock.now, perSecond: most / 60, burst: most });
  const refused = metrics.counter('over_limit_total', { name: 'questions_per_minute' });
  metrics.gauge('limit_used', buckets.mostUsed, { name: 'questions_per_minute' });
  return {
    limited: (device_id: string, asker: Asker): Asker => ({
      ask(question, withdrawn) {
        const waitMs = buckets.take(device_id);
        if (waitMs === 0) return asker.ask(question, withdrawn);
        refused();
        const { message: reason } = overLimit('questions_per_minute', waitMs, `${most} questions a minute`);
        return Promise.resolve({ decision: 'deny', call_hash: question.call_hash, by: 'nobody', reason });
      },
    }),
  };
}
