import { delay } from '@drawbridge/base';
import type { CoreClock } from '../core/ports.ts';
import type { FailureReason } from './notice.ts';
import type { Reply } from './outbound.ts';

export interface RetryOptions {
  readonly clock: CoreClock;
  /** Delays between attempts; after the last one the message has failed. */
  readonly retryMs: readonly number[];
}

export interface Ending {
  readonly state: 'sent' | 'failed' | 'called_off';
  readonly attempts: number;
  readonly status?: number;
  readonly reason?: FailureReason;
}

export const RETRY_MS: readonly number[] = [2_000, 15_000, 60_000, 300_000];
const MOST_MS = 600_000;
/** Too early, too many, or a server error: a retry may succeed. */
const isTransient = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

/** Retries until accepted, refused for good, out of attempts, or cancelled between two attempts. */
export async function retryDelivery(
  attempt: () => Promise<Reply>,
  { clock, retryMs }: RetryOptions,
  cancelled: AbortSignal,
  onAttempt: (attempts: number) => void,
): Promise<Ending> {
  for (let attempts = 1; ; attempts += 1) {
    if (cancelled.aborted) return { state: 'called_off', attempts: attempts - 1 };
    onAttempt(attempts);
    // Unreachable, or not on the internet: the name may resolve elsewhere on the next attempt.
    const reply = await attempt().catch(() => undefined);
    const known = { attempts, ...(reply && { status: reply.status }) };
    if (reply !== undefined && reply.status >= 200 && reply.status < 300) return { state: 'sent', ...known };
    if (reply !== undefined && !isTransient(reply.status)) {
      const isGone = reply.status === 404 || reply.status === 410;
      return { state: 'failed', ...known, reason: isGone ? 'gone' : 'refused' };
    }
    const wait = retryMs[attempts - 1];
    if (wait === undefined) return { state: 'failed', ...known, reason: 'unreachable' };
    await delay(clock, Math.min(MOST_MS, Math.max(wait, reply?.retry_after_ms ?? 0)), cancelled);
  }
}
