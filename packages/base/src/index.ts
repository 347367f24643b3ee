export {
  BACKOFF_MAX_MS,
  BACKOFF_MIN_MS,
  type Backoff,
  type BackoffOptions,
  createBackoff,
} from './backoff.ts';
export { type Clock, delay } from './clock.ts';
export { createDeferred, type Deferred } from './deferred.ts';
export { createMutex, type RunExclusive } from './mutex.ts';
export { RecentMap } from './recent-map.ts';
export { type RetryOptions, retry } from './retry.ts';
