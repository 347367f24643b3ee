import type { Tab } from '../page/chromium.ts';

/** What to add to the page's clock to have ours. */
export interface ClockOffset {
  readonly ms: number;
  /** Half of the shortest way there and back: more than this the offset cannot be wrong. */
  readonly within: number;
}

const ASKED_TIMES = 40;

/** The page is asked for its time; the shortest of the ways there and back says most. */
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
