import type { Context } from 'hono';
import type { RelayLimits } from '../options.ts';

/** The limit that a device has exceeded, and the seconds until it may try again. */
export interface OverLimit {
  readonly limit: keyof RelayLimits;
  readonly retry_after: number;
  readonly message: string;
}

export function overLimit(limit: keyof RelayLimits, waitMs: number, what: string): OverLimit {
  const retry_after = Math.max(1, Math.ceil(waitMs / 1_000));
  return {
    ...{ limit, retry_after },
    message: `This device has reached its limit of ${what} (${limit}). Try again in ${retry_after} s.`,
  };
}

export const refuseOverLimit = (context: Context, { limit, retry_after, message }: OverLimit): Response => {
  context.header('retry-after', String(retry_after));
  return context.json({ error: { code: 'rate_limited', message, limit, retry_after }, message }, 429);
};
