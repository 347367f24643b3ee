import { isVisible } from '../perceive/visibility.ts';
import type { Loudness } from './announcement.ts';
import type { Clock } from './clock.ts';
import type { EventBuffer } from './event-buffer.ts';
import type { Notice } from './mutation-batch.ts';
import type { PageEvent } from './page-event.ts';

/** Style is asked in the next breath and not at once: asking while a page changes makes it lay out twice. */
const LOOK_AFTER_MS = 60;
const FADE_IN_MS = 1_000;
/** A live region that counts is one event, told with its last words. */
const SAME_SOURCE_MS = 1_000;
const MOST_ADDED_AT_ONCE = 5;

/** Where notices wait until it is known whether a person could notice them too. */
export interface NoticeQueue {
  readonly add: (notices: readonly Notice[]) => void;
  /** Looks at once at what is waiting. */
  readonly settle: () => void;
  readonly close: () => void;
}

type Waiting = Notice & { readonly at: number };

export function createNoticeQueue(
  buffer: EventBuffer,
  clock: Clock,
  clean: (text: string) => string,
): NoticeQueue {
  const lastOf = new WeakMap<Element, PageEvent>();
  let waiting: Waiting[] = [];
  let timer: number | undefined;

  /** Gone again already, it was seen; what is still fading in is waited for. */
  const settle = () => {
    clock.clearTimeout(timer);
    timer = undefined;
    const now = clock.now();
    const shown = waiting.filter(isShown);
    waiting = waiting.filter((notice) => !shown.includes(notice) && now - notice.at < FADE_IN_MS);
    if (waiting.length > 0) timer = clock.setTimeout(settle, LOOK_AFTER_MS);
    let added = 0;
    for (const notice of shown) {
      if (notice.kind === 'added' && notice.loudness === 'none' && ++added > MOST_ADDED_AT_ONCE) continue;
      record(notice);
    }
  };

  const record = ({ element, kind, text, at }: Waiting) => {
    const event: PageEvent = { at, kind, text: clean(text) };
    const last = lastOf.get(element);
    const isRecent = last?.kind === kind && at - last.at < SAME_SOURCE_MS;
    if (isRecent && last.text === event.text) return;
    lastOf.set(element, isRecent && kind === 'changed' ? buffer.replace(last, event) : buffer.add(event));
  };

  return {
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

/** A live region is read out also when it is too small or too faint to see: that is how announcers are made. */
function isNoticeable(element: Element, loudness: Loudness): boolean {
  return loudness === 'none' ? isVisible(element) : element.checkVisibility({ visibilityProperty: true });
}
