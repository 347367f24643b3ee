import { formatEvent, type PageEvent } from './page-event.ts';

const MAX_EVENTS = 50;
const REPORTED_AT_ONCE = 20;
const TIME_TO_LIVE_MS = 5_000;

/** The contract's fields for recent events. */
export interface RecentEvents {
  readonly recentEvents: readonly string[];
  readonly hasErrors: boolean;
  readonly hasSuccess: boolean;
}

export type EventBuffer = ReturnType<typeof createEventBuffer>;

/** The last 50; a reported one is dropped after 5 s, an unreported one stays (INT-236). */
export function createEventBuffer() {
  let entries: { readonly number: number; event: PageEvent; reported: boolean }[] = [];
  let added = 0;

  return {
    add(event: PageEvent): PageEvent {
      added++;
      entries.push({ number: added, event, reported: false });
      if (entries.length > MAX_EVENTS) entries.shift();
      return event;
    },
    /** Replaces an event that is still changing, such as a counting live region. */
    replace(old: PageEvent, event: PageEvent): PageEvent {
      const entry = entries.find((kept) => kept.event === old);
      if (entry === undefined || entry.reported) return this.add(event);
      entry.event = event;
      return event;
    },
    /** The number of events ever added, as a mark. */
    mark: (): number => added,
    since: (mark: number): readonly PageEvent[] =>
      entries.filter(({ number }) => number > mark).map(({ event }) => event),
    /** The events for a snapshot, masked by `clean`; marks them as reported. */
    report(now: number, clean: (text: string) => string = String): RecentEvents {
      entries = entries.filter(({ event, reported }) => !reported || now - event.at < TIME_TO_LIVE_MS);
      const shown = entries.slice(-REPORTED_AT_ONCE);
      for (const entry of entries) entry.reported = true;
      return {
        recentEvents: shown.map(({ event }) => formatEvent({ ...event, text: clean(event.text) }, now)),
        hasErrors: entries.some(({ event }) => event.kind === 'error'),
        hasSuccess: entries.some(({ event }) => event.kind === 'success'),
      };
    },
  };
}
