import { createSeededRandom } from '@drawbridge/testbed';
import { median } from '../measure.ts';

/** Of two medians, the first over the second: the middle of resampled ones, and the ends of 95 % of them. */
export interface RatioInterval {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;

/** Turns are drawn whole: what slowed a turn slowed both of its values. */
export function ratioInterval(having: readonly number[], without: readonly number[]): RatioInterval {
  const random = createSeededRandom(3);
  const ratios = Array.from({ length: RESAMPLES }, () => {
    const turns = having.map(() => random.int(0, having.length - 1));
    const drawn = (values: readonly number[]) => median(turns.map((turn) => values[turn] ?? Number.NaN));
    return drawn(having) / drawn(without);
  }).toSorted((a, b) => a - b);
  const at = (share: number) => ratios[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN;
  return { middle: at(0.5), low: at(0.025), high: at(0.975) };
}
