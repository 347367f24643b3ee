import { useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { clockTime, exactTime } from '../time-words.ts';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/use-words.ts';

export interface ConnectionBannerProps {
  readonly state: 'connecting' | 'waiting' | 'refused';
  /** Time of the next try, while waiting. */
  readonly until?: number;
  readonly waitingMessages: number;
  /** Time of the stored state that is shown. */
  readonly asOf?: number | undefined;
  readonly onTry: () => void;
  readonly onPair: () => void;
}

const isToday = (at: number): boolean => new Date(at).toDateString() === new Date().toDateString();
const whenOf = (at: number, words: Words): string => (isToday(at) ? clockTime : exactTime)(at, words);

const SHORT_WAIT_MS = 1_200;
/** A relay that restarts is back by then. */
const LONG_WAIT_MS = 20_000;

function useSecondsTo(until: number | undefined): number | undefined {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? undefined : Math.max(0, Math.ceil((until - now) / 1_000));
}

function useLaterThan(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}

/** Appears only after a delay: a quick reconnect needs no words. */
export function ConnectionBanner(props: ConnectionBannerProps) {
  const { state, until, waitingMessages, asOf, onTry, onPair } = props;
  const words = useWords();
  const seconds = useSecondsTo(until);
  const isLong = useLaterThan(SHORT_WAIT_MS);
  const isOver = useLaterThan(LONG_WAIT_MS);
  const small = 'min-h-8 shrink-0 px-2 text-meta';
  if (state === 'refused') {
    return (
      <Notice
        meaning="fail"
        action={
          <Button className={small} onClick={onPair}>
            {words.link.pairAgain}
          </Button>
        }
      >
        {words.link.refused}
      </Notice>
    );
  }
  const held = waitingMessages > 0 ? ` ${words.link.waiting(waitingMessages)}.` : '';
  if (state === 'connecting' && !isLong) return null;
  return (
    <Notice
      meaning="wait"
      action={
        <Button className={small} onClick={onTry}>
          {words.link.retryNow}
        </Button>
      }
    >
      {words.link.lost}
      {isOver ? ` ${words.link.lostLong}` : ''}
      {held}
      {asOf ? ` ${words.link.asOf(whenOf(asOf, words))}` : ''}
      {state === 'connecting'
        ? ` ${words.link.connecting}`
        : seconds
          ? ` ${words.link.retryIn(seconds)}.`
          : ''}
    </Notice>
  );
}
