import type { Tab } from '../page/chromium.ts';

/** Offset to add to the page's clock to get ours. */
export interface ClockOffset {
  readonly ms: number;
  /** Half of the shortest round trip: an upper bound of the offset's error. */
  readonly within: number;
}

const ASKED_TIMES = 40;

/** Asks the page for its time repeatedly; the shortest round trip is the most exact. */
export async function clockOffset({ session }: Tab): Promise<ClockOffset> {
  let best: ClockOffset = { ms: Number.NaN, within: Number.POSITIVE_INFINITY };
  for (let time = 0; time < ASKED_TIMES; time++) {
    const sent = performance.now();
    const { result } = await session.send('Runtime.evaluate', { expression: 'performance.now()' });
    const came = performance.now();
    const within = (came - sent) / 2;
    if (within < best.within) best = { ms: sent + within - Number(result.value), within };
  }
  return best;
}
