import type { CallRequest } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';
import type { CoreClock } from '../../core/ports.ts';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import { type OverLimit, overLimit } from './over-limit.ts';
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts';

/**
 * Limits how often a device calls primitives that use a browser's memory or disk, and how many tabs it has
 * open.
 */
export interface CallQuota {
  /** Undefined when the call may run now. */
  readonly problem: (device_id: string, call: CountedCall) => BridgeError | undefined;
  /**
   * Work that the call waits for, after it was admitted; undefined when there is none. A result is the answer
   * of the relay itself.
   */
  readonly ready: (device_id: string, call: CallRequest) => Promise<OwnAnswer | undefined> | undefined;
  /** Called when the call has ended, with its output or its error. */
  readonly answered: (device_id: string, call_id: string, output?: unknown, error?: CallError) => void;
}

export interface OwnAnswer {
  readonly output: unknown;
}

export interface CallError {
  readonly code: string;
  readonly message: string;
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}

type CountedCall = Pick<CallRequest, 'name' | 'runtime_id'> &
  Partial<CallRequest> & { readonly call_id: string };

export interface CallQuotaOptions {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
  /** `runtime_key` of every tab on the bridge. */
  readonly openTabs: () => ReadonlySet<string | undefined>;
}

interface Counted {
  readonly limit: keyof RelayLimits;
  readonly what: string;
  readonly buckets: TokenBuckets;
  readonly refused: () => void;
}

const HOUR_S = 3_600;

const OPEN_TAB = 'browser.open_tab';
/** A tab that navigates leaves the bridge for a moment; after this time it counts as closed. */
const AWAY_MS = 60_000;
const A_WHILE_MS = 10_000;

export function createCallQuota({ clock, limits, metrics, openTabs }: CallQuotaOptions): CallQuota {
  const anHour = (limit: keyof RelayLimits, what: string): Counted => ({
    ...{ limit, what: `${limits[limit]} ${what} an hour` },
    buckets: createTokenBuckets({
      now: clock.now,
      perSecond: limits[limit] / HOUR_S,
      burst: limits[limit],
    }),
    refused: metrics.counter('over_limit_total', { name: limit }),
  });
  const counted = new Map([
    [OPEN_TAB, anHour('tabs_per_hour', 'new tabs')],
    ['element.upload', anHour('uploads_per_hour', 'uploads')],
  ]);
  for (const { limit, buckets } of counted.values()) {
    metrics.gauge('limit_used', buckets.mostUsed, { name: limit });
  }

  /** By device: its opened tabs and when each was last seen; a pending call counts as a tab. */
  const opened = new Map<string, Map<string, number>>();
  const tooManyTabs = metrics.counter('over_limit_total', { name: 'open_tabs' });

  const tabsOf = (device_id: string): number => {
    const own = opened.get(device_id) ?? new Map<string, number>();
    const there = openTabs();
    const now = clock.now();
    for (const [tab, seenAt] of own) {
      if (there.has(tab)) own.set(tab, now);
      else if (now - seenAt > AWAY_MS) own.delete(tab);
    }
    return own.size;
  };
  metrics.gauge('limit_used', () => Math.max(0, ...[...opened.keys()].map(tabsOf)), { name: 'open_tabs' });

  const refusal = ({ limit, retry_after, message }: OverLimit): BridgeError =>
    new BridgeError('permission_denied', message, { evidence: { limit, retry_after } });

  return {
    problem(device_id, { name, call_id }) {
      const found = counted.get(name);
      if (found === undefined) return undefined;
      if (name === OPEN_TAB && tabsOf(device_id) >= limits.open_tabs) {
        tooManyTabs();
        const what = `${limits.open_tabs} open tabs: close one first`;
        return refusal(overLimit('open_tabs', A_WHILE_MS, what));
      }
      const waitMs = found.buckets.take(device_id);
      if (waitMs > 0) {
        found.refused();
        return refusal(overLimit(found.limit, waitMs, found.what));
      }
      if (name === OPEN_TAB) {
        const own = opened.get(device_id) ?? new Map<string, number>();
        opened.set(device_id, own.set(call_id, clock.now()));
      }
      return undefined;
    },
    ready: () => undefined,
    answered(device_id, call_id, output) {
      const own = opened.get(device_id);
      if (own?.delete(call_id) !== true) return;
      const tab = tabOf(output);
      if (tab !== undefined) own.set(tab, clock.now());
    },
  };
}

/** The answer to a call that was cancelled while it waited to be ready. */
export const cancelledBeforeStart = (): BridgeError =>
  new BridgeError('handler_failed', 'The call was cancelled before it began.', {
    evidence: { cancelled: true },
  });

/** `runtime_key` of the tab that a runtime reports as opened. */
function tabOf(output: unknown): string | undefined {
  if (!isObject(output) || !isObject(output['tab'])) return undefined;
  const { runtime_key } = output['tab'];
  return typeof runtime_key === 'string' ? runtime_key : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
