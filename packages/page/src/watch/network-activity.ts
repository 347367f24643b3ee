import type { PageClock } from './clock.ts';

/** Completed requests of the page, from the browser's timing: nothing of the page is patched. */
export type NetworkActivity = ReturnType<typeof watchNetwork>;

/** Beacons, and icons (`other`), do not affect what the page will show. */
const FORGOTTEN = new Set(['beacon', 'ping', 'other']);
const MAX_BEGINNINGS = 200;

/**
 * The browser reports a request to page code only when it has ended; a host that sees requests start supplies
 * `inFlight`.
 */
export function watchNetwork(clock: PageClock, onActivity: () => void) {
  let beginnings: number[] = [];
  let lastFinishedAt = Number.NEGATIVE_INFINITY;

  const note = (entries: readonly PerformanceEntry[]) => {
    const awaited = entries.filter((entry) => !FORGOTTEN.has(initiatorOf(entry)));
    if (awaited.length === 0) return;
    beginnings = [...beginnings, ...awaited.map(({ startTime }) => startTime)].slice(-MAX_BEGINNINGS);
    lastFinishedAt = clock.now();
    onActivity();
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'resource', buffered: false });
  const drain = () => note(observer.takeRecords());

  return {
    mark: (): number => performance.now(),
    /** The number of completed requests that started after the mark. */
    since: (mark: number): number => {
      drain();
      return beginnings.filter((beginning) => beginning >= mark).length;
    },
    lastFinishedAt: (): number => {
      drain();
      return lastFinishedAt;
    },
    close: () => observer.disconnect(),
  };
}

function initiatorOf(entry: PerformanceEntry): string {
  return 'initiatorType' in entry ? String(entry.initiatorType) : '';
}
