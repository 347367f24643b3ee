import type { Clock } from './clock.ts';

/** Requests of the page that have ended, as the browser times them: nothing of the page is patched. */
export interface NetworkActivity {
  /** A moment to ask from. */
  readonly mark: () => number;
  /** How many requests that began after the mark have ended. */
  readonly since: (mark: number) => number;
  readonly lastFinishedAt: () => number;
  readonly close: () => void;
}

/** A beacon is sent and forgotten, an icon (`other`) is the tab's: they say nothing of what the page will show. */
const FORGOTTEN = new Set(['beacon', 'ping', 'other']);
const BEGINNINGS_KEPT = 200;

/**
 * The browser tells page code of a request only when it has ended; a host that sees requests start
 * says so with `inFlight`.
 */
export function watchNetwork(clock: Clock, onActivity: () => void): NetworkActivity {
  let beginnings: number[] = [];
  let lastFinishedAt = Number.NEGATIVE_INFINITY;

  const note = (entries: readonly PerformanceEntry[]) => {
    const awaited = entries.filter((entry) => !FORGOTTEN.has(initiatorOf(entry)));
    if (awaited.length === 0) return;
    beginnings = [...beginnings, ...awaited.map(({ startTime }) => startTime)].slice(-BEGINNINGS_KEPT);
    lastFinishedAt = clock.now();
    onActivity();
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'resource', buffered: false });
  const drain = () => note(observer.takeRecords());

  return {
    mark: () => performance.now(),
    since: (mark) => {
      drain();
      return beginnings.filter((beginning) => beginning >= mark).length;
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
