import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Preferences } from '../state/preferences.ts';
import { inOrderOf, type Row } from '../state/session-list.ts';

type Arranged = Pick<Preferences, 'pinned' | 'archived'>;

/** Keeps the order of the rows while a pointer moves over the list, and for a moment after. */
export function useHeldOrder(
  list: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  { pinned, archived }: Arranged,
): readonly Row[] {
  const [held, setHeld] = useState<Arranged & { readonly rows: readonly Row[] }>();
  // The person's own pin moves its row at once.
  const isHeld = held !== undefined && held.pinned === pinned && held.archived === archived;
  const shown = isHeld ? inOrderOf(held.rows, rows) : rows;
  const latest = useRef({ isHeld, rows, pinned, archived });
  useEffect(() => {
    latest.current = { isHeld, rows, pinned, archived };
  });
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = () => setHeld(undefined);
    const hold = () => {
      clearTimeout(timer);
      timer = setTimeout(release, REST_MS);
      const { isHeld: isHeldNow, ...now } = latest.current;
      if (!isHeldNow) setHeld(now);
    };
    for (const type of ['pointermove', 'pointerdown'] as const)
      element.addEventListener(type, hold, { signal, passive: true });
    const leave = ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') release();
    };
    element.addEventListener('pointerleave', leave, { signal });
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [list]);
  return shown;
}

const REST_MS = 3_000;
