import type { Clock } from './clock.ts';

/** Requests of the page that have ended, as the browser times them: nothing of the page is patched. */
export interface NetworkActivity {
  readonly finished: () => number;
  readonly lastFinishedAt: () => number;
  readonly close: () => void;
}

/** A beacon or a ping is sent and forgotten: it says nothing of what the page will show. */
const FORGOTTEN = new Set(['beacon', 'ping']);

/**
 * The browser tells page code of a request only when it has ended; a host that sees requests start
 * says so with `inFlight`.
 */
export function watchNetwork(clock: Clock, onActivity: () => void): NetworkActivity {
  let finished = 0;
  let lastFinishedAt = Number.NEGATIVE_INFINITY;

  const note = (entries: readonly PerformanceEntry[]) => {
    const awaited = entries.filter((entry) => !FORGOTTEN.has(initiatorOf(entry)));
    if (awaited.length === 0) return;
    finished += awaited.length;
    lastFinishedAt = clock.now();
    onActivity();
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'resource', buffered: false });
  const drain = () => note(observer.takeRecords());

  return {
    finished: () => {
      drain();
      return finished;
    },
    lastFinishedAt: () => {
      drain();
      return lastFinishedAt;
    },
    close: () => observer.disconnect(),
  };
}

function initiatorOf(entry: PerformanceEntry): string {
  return 'initiatorType' in entry ? String(entry.initiatorType) : '';
}
