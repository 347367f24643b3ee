import type { CoreClock, Identity } from '../core/ports.ts';
import { isPerson } from '../server/guard/permission.ts';
import type { Metrics } from '../server/metrics.ts';
import type { RelayLimits } from '../server/options.ts';
import { type OverLimit, overLimit } from '../server/quotas/over-limit.ts';
import { createTokenBuckets } from '../server/quotas/token-buckets.ts';

/** Limits a device's open tasks, its rate of new tasks, and their share of the ledger. */
export type TaskQuota = ReturnType<typeof createTaskQuota>;

export interface TaskUse {
  readonly bytes: number;
  readonly openOwn: number;
  readonly openOfAgents: number;
}

/** All open tasks; agents may use a part, the rest is for people. */
export const MAX_OPEN = 1_000;
const MAX_OPEN_OF_AGENTS = MAX_OPEN / 2;
const DAY_S = 86_400;
/** A task is stored as a row, a session and a message, and the row again at each step. */
const COPIES = 3;
const FIXED_BYTES = 4_096;
const A_WHILE_MS = 10_000;

export function createTaskQuota({
  clock,
  limits,
  metrics,
}: {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
}) {
  const { now } = clock;
  const aMinute = (most: number) => createTokenBuckets({ now, perSecond: most / 60, burst: most });
  const asked = {
    agent: aMinute(limits.agent_tasks_per_minute),
    person: aMinute(limits.person_tasks_per_minute),
  };
  const aDay = limits.ledger_bytes_per_day;
  const bytes = createTokenBuckets({ now, perSecond: aDay / DAY_S, burst: aDay });

  metrics.gauge('limit_used', asked.agent.mostUsed, { name: 'agent_tasks_per_minute' });
  metrics.gauge('limit_used', asked.person.mostUsed, { name: 'person_tasks_per_minute' });

  const refused = (limit: keyof RelayLimits, waitMs: number, what: string): OverLimit => {
    metrics.counter('over_limit_total', { name: limit })();
    return overLimit(limit, waitMs, what);
  };

  const takeBytes = ({ device_id }: Identity, count: number): OverLimit | undefined => {
    const waitMs = bytes.take(device_id, count);
    const what = `${aDay} bytes a day in the ledger`;
    return waitMs === 0 ? undefined : refused('ledger_bytes_per_day', waitMs, what);
  };

  return {
    /** Reserves bytes for a message that is added to a task. */
    takeBytes,
    /**
     * Reserves a task, or returns the exceeded limit. `openOwn`: the device's open tasks, `openOfAgents`: those
     * of all agents.
     */
    take(by: Identity, use: TaskUse): OverLimit | undefined {
      const role = isPerson(by) ? 'person' : 'agent';
      const most = limits[`${role}_open_tasks`];
      if (use.openOwn >= most) return refused(`${role}_open_tasks`, A_WHILE_MS, `${most} open tasks`);
      if (role === 'agent' && use.openOfAgents >= MAX_OPEN_OF_AGENTS) {
        return refused('agent_open_tasks', A_WHILE_MS, `${MAX_OPEN_OF_AGENTS} open tasks of all agents`);
      }
      const waitMs = asked[role].take(by.device_id);
      if (waitMs > 0) {
        const name = `${role}_tasks_per_minute` as const;
        return refused(name, waitMs, `${limits[name]} tasks a minute`);
      }
      return takeBytes(by, use.bytes * COPIES + FIXED_BYTES);
    },
  };
}
