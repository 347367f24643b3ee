import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useWords } from '../words/use-words.ts';

export interface TranscriptProps<Row extends { readonly key: string }> {
  readonly rows: readonly Row[];
  readonly render: (row: Row) => ReactNode;
  /** Row to open at the top; without one, opens at the end. */
  readonly openAt: string | undefined;
  /** Row near the end whose top stays in sight at the end, such as a decision higher than the screen. */
  readonly topOf?: string | undefined;
  /** Older rows can be requested before this sequence. Advances even when a page brings nothing new. */
  readonly olderBefore?: number | undefined;
  readonly onOlder?: () => void;
  readonly onSeenAll: () => void;
  /** Reports whether the reader is at the end. */
  readonly onAtEnd?: (isAtEnd: boolean) => void;
  /** Shown to readers who have scrolled up, in place of the way to the end. */
  readonly belowNote?: ((show: () => void) => ReactNode) | undefined;
}

const NEAR_TOP_ROWS = 8;
const NEAR_END_PX = 60;

/**
 * Renders only rows near the viewport. Prepending older rows keeps the scroll position; newer rows scroll
 * only readers at the end.
 */
export function Transcript<Row extends { readonly key: string }>(props: TranscriptProps<Row>) {
  const { rows, render, openAt, topOf, olderBefore, onOlder, onSeenAll, onAtEnd, belowNote } = props;
  const words = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const hasOpened = useRef(false);
  /** Stays at the end while rows grow, as they do when their text renders. */
  const isSticking = useRef(true);
  const lastTop = useRef(0);
  /** Older rows that arrive before the initial scroll settles would move it elsewhere. */
  const [isByHand, setByHand] = useState(false);
  const touch = (): void => setByHand(true);
  const [isAtEnd, setAtEnd] = useState(openAt === undefined);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 72,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    gap: 8,
    paddingStart: 16,
    paddingEnd: 16,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END_PX,
    useFlushSync: false,
  });

  /** Read when it scrolls: nothing may move between a press and its release. */
  const atTop = useRef({ index: -1, isByHand });
  atTop.current = { index: topOf === undefined ? -1 : rows.findIndex(({ key }) => key === topOf), isByHand };
  const showEnd = useCallback((): void => {
    const { index, isByHand: isHeld } = atTop.current;
    const top = index < 0 ? undefined : virtual.getOffsetForIndex(index, 'start')?.[0];
    const view = scroller.current?.clientHeight ?? 0;
    if (top === undefined || virtual.getTotalSize() - top <= view) virtual.scrollToEnd();
    else if (!isHeld) {
      // No person has scrolled up.
      lastTop.current = top;
      virtual.scrollToOffset(top);
    }
  }, [virtual]);

  useLayoutEffect(() => {
    if (hasOpened.current || rows.length === 0) return;
    hasOpened.current = true;
    const index = openAt === undefined ? -1 : rows.findIndex(({ key }) => key === openAt);
    isSticking.current = index < 0;
    if (index >= 0) virtual.scrollToIndex(index, { align: 'start' });
    else showEnd();
  }, [rows, openAt, virtual, showEnd]);

  const size = virtual.getTotalSize();
  useLayoutEffect(() => {
    if (size > 0 && isSticking.current) showEnd();
  }, [size, showEnd]);

  useEffect(() => {
    if (scroller.current === null) return;
    // A keyboard or banner shrinks the view: readers at the end stay there.
    const observer = new ResizeObserver(() => {
      if (isSticking.current) showEnd();
    });
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [showEnd]);

  const toEnd = (): void => {
    isSticking.current = true;
    atTop.current = { ...atTop.current, isByHand: false };
    showEnd();
  };
  const onScroll = (): void => {
    if (scroller.current === null) return;
    const { scrollTop: top, scrollHeight, clientHeight } = scroller.current;
    const isNear = scrollHeight - clientHeight - top <= NEAR_END_PX;
    // Only a person scrolls up; growing content moves forward.
    if (isNear && top > lastTop.current) isSticking.current = true;
    else if (!isNear && top < lastTop.current) isSticking.current = false;
    lastTop.current = top;
    setAtEnd(isNear || isSticking.current);
  };

  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  useEffect(() => {
    const isShort = size < (scroller.current?.clientHeight ?? 0);
    if (olderBefore !== undefined && first < NEAR_TOP_ROWS && (isByHand || isShort)) onOlder?.();
  }, [olderBefore, first, size, isByHand, onOlder]);

  const lastKey = rows.at(-1)?.key;
  useEffect(() => {
    const look = (): void => {
      if (isAtEnd && lastKey !== undefined && document.visibilityState === 'visible') onSeenAll();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [isAtEnd, lastKey, onSeenAll]);

  useEffect(() => {
    onAtEnd?.(isAtEnd);
    return () => onAtEnd?.(true);
  }, [isAtEnd, onAtEnd]);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={words.talk.history}
        onScroll={onScroll}
        onWheel={touch}
        onTouchMove={touch}
        onPointerDown={touch}
        onKeyDown={touch}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div className="relative mx-auto w-full max-w-3xl" style={{ height: size }}>
          {items.map(({ key, index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0 px-4"
                style={{ transform: `translateY(${start}px)` }}
              >
                {render(row)}
              </div>
            );
          })}
        </div>
      </section>
      {isAtEnd ? null : belowNote ? (
        belowNote(toEnd)
      ) : (
        <button
          type="button"
          onClick={toEnd}
          className="relative mx-auto -mt-12 mb-3 flex min-h-9 w-fit items-center gap-1 rounded-full border border-line bg-surface px-3 text-meta shadow-md pointer-coarse:min-h-11"
        >
          <ArrowDown size={15} aria-hidden />
          {words.talk.jump}
        </button>
      )}
    </div>
  );
}
