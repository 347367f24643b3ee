import type { Context } from 'hono';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import { overLimit, refuseOverLimit } from '../quotas/over-limit.ts';
import type { RelayEnv } from '../relay-env.ts';

const RETRY_MS = 30_000;

/** Refuses an upload unread while its device has as many under way as it may. */
export function limitUploads(
  { open_uploads: most }: RelayLimits,
  { counter, gauge }: Pick<Metrics, 'counter' | 'gauge'>,
): <Answer>(context: Context<RelayEnv>, upload: () => Promise<Answer>) => Promise<Answer | Response> {
  const open = new Map<string, number>();
  const tooMany = counter('over_limit_total', { name: 'open_uploads' });
  gauge('limit_used', () => Math.max(0, ...open.values()), { name: 'open_uploads' });

  return async (context, upload) => {
    const { device_id } = context.get('identity');
    const there = open.get(device_id) ?? 0;
    if (there >= most) {
      tooMany();
      context.header('connection', 'close');
      const what = `${most} uploads under way, half-sent ones included`;
      return refuseOverLimit(context, overLimit('open_uploads', RETRY_MS, what));
    }
    open.set(device_id, there + 1);
    try {
      return await upload();
    } finally {
      const left = (open.get(device_id) ?? 1) - 1;
      if (left === 0) open.delete(device_id);
      else open.set(device_id, left);
    }
  };
}
