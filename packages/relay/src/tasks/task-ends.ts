import type { ApiTask, TaskEnd } from './task-record.ts';

/** Time that a task which ran when the relay stopped waits for its runtime. */
export const REJOIN_MS = 60_000;

export const cancelledEnd = (message: string): TaskEnd => ({
  state: 'cancelled',
  code: 'cancelled',
  message,
});

/** TSK-58 */
export const LOST_CLIENT_END: TaskEnd = {
  state: 'unknown',
  code: 'delivery_unknown',
  message: 'The relay was started again while its client ran it. Look at the browser, then retry if need be.',
};

export const FAILED_HERE_END: TaskEnd = {
  state: 'failed',
  code: 'internal',
  message: 'The relay failed. See its log.',
};

/** TSK-56 */
export const lateEnd = (timeout_ms: number): TaskEnd => ({
  state: 'failed',
  code: 'timed_out',
  message: `It took longer than its ${timeout_ms / 1_000} s. Retry it with a longer metadata.timeout.`,
});

export function notBackEnd({ api: { place, checkpoint } }: ApiTask): TaskEnd {
  const away = `The relay was started again, and ${place?.id} did not come back within ${REJOIN_MS / 1_000} s.`;
  const acting = checkpoint?.acting;
  if (acting === undefined) return { state: 'failed', code: 'runtime_gone', message: `${away} Retry it.` };
  const begun = `${acting.action} had been begun: look at the page before you retry.`;
  return { state: 'unknown', code: 'delivery_unknown', message: `${away} ${begun}` };
}
