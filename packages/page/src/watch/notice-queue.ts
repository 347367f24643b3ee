import { isVisible } from '../perceive/visibility.ts';
import type { Loudness } from './announcement.ts';
import type { PageClock } from './clock.ts';
import type { EventBuffer } from './event-buffer.ts';
import type { Notice } from './mutation-batch.ts';
import type { PageEvent } from './page-event.ts';

/** Delays reading style: during a change it would force a second layout. */
const LOOK_AFTER_MS = 60;
const FADE_IN_MS = 1_000;
/** A counting live region is one event with its last text. */
const SAME_SOURCE_MS = 1_000;
/** A container with more additions per second is a feed, whose items are content. */
const MOST_ADDED_A_SECOND = 5;

/** Holds notices until their visibility is known. */
export interface NoticeQueue {
  readonly add: (notices: readonly Notice[]) => void;
  /** Whether a container gets too many silent additions to report each, optionally counting this one. */
  readonly isFeed: (element: Element, counted: boolean) => boolean;
  /** Checks all waiting notices now. */
  readonly settle: () => void;
  readonly close: () => void;
}

type Waiting = Notice & { readonly at: number };

export function createNoticeQueue(
  buffer: EventBuffer,
  clock: PageClock,
  clean: (text: string) => string,
): NoticeQueue {
  const lastOf = new WeakMap<Element, PageEvent>();
  const feeds = new WeakMap<Element, { readonly since: number; readonly count: number }>();
  let waiting: Waiting[] = [];
  let timer: number | undefined;

  /** A removed element counts as seen; one that is fading in is awaited. */
  const settle = () => {
    clock.clearTimeout(timer);
    timer = undefined;
    const now = clock.now();
    const looked = waiting.map((notice) => ({ notice, shown: isShown(notice) }));
    waiting = looked.flatMap(({ notice, shown }) => (shown || now - notice.at >= FADE_IN_MS ? [] : notice));
    if (waiting.length > 0) timer = clock.setTimeout(settle, LOOK_AFTER_MS);
    for (const { notice, shown } of looked) if (shown) record(notice);
  };

  const isFeed = (element: Element, counted: boolean): boolean => {
    const at = clock.now();
    const place = element.parentElement ?? element;
    const known = feeds.get(place);
    const { since, count } =
      known !== undefined && at - known.since < 1_000 ? known : { since: at, count: 0 };
    if (counted) feeds.set(place, { since, count: count + 1 });
    return count >= MOST_ADDED_A_SECOND;
  };

  const record = ({ element, kind, text, at }: Waiting) => {
    const event: PageEvent = { at, kind, text: clean(text) };
    const last = lastOf.get(element);
    const isRecent = last?.kind === kind && at - last.at < SAME_SOURCE_MS;
    if (isRecent && last.text === event.text) return;
    lastOf.set(element, isRecent && kind === 'changed' ? buffer.replace(last, event) : buffer.add(event));
  };

  return {
    isFeed,
    add(notices) {
      if (notices.length === 0) return;
      const at = clock.now();
      waiting.push(...notices.map((notice) => ({ ...notice, at })));
      timer ??= clock.setTimeout(settle, LOOK_AFTER_MS);
    },
    settle,
    close: () => clock.clearTimeout(timer),
  };
}

function isShown({ element, kind, loudness }: Notice): boolean {
  return kind === 'closed' || !element.isConnected || isNoticeable(element, loudness);
}

/** A live region is read out even when invisible, as announcers are. */
function isNoticeable(element: Element, loudness: Loudness): boolean {
  return loudness === 'none' ? isVisible(element) : element.checkVisibility({ visibilityProperty: true });
}
