import { useSyncExternalStore } from 'react';
import { exactTime, relative, span } from '../time-words.ts';
import { useWords } from '../words/use-words.ts';

const TICK_MS = 20_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times on a screen; none while there are none. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const readNow = (): number => {
  if (listeners.size === 0) now = Date.now();
  return now;
};

export const useNow = (): number => useSyncExternalStore(subscribe, readNow);

/** `3 min ago`, or with `isShort` the span alone; the exact time on hover. */
export function TimeAgo({ at, isShort = false }: { readonly at: number; readonly isShort?: boolean }) {
  const words = useWords();
  const time = useNow();
  if (at === 0 || Number.isNaN(at)) return null;
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at, words)}>
      {isShort ? span(time - at, words) : relative(at, time, words)}
    </time>
  );
}
