import { createSeededRandom } from '@drawbridge/testbed';
import { median } from '../measure.ts';

/** Ratio of two medians: the middle of the resampled ratios and their 95 % interval. */
export interface RatioInterval {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;

/** Resamples whole turns: a slow turn slows both of its values. */
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
