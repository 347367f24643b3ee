import { createSeededRandom, type OpenPage } from '@drawbridge/testbed';
import { median } from '../measure.ts';

type Page = OpenPage['page'];

export interface LoadRatio {
  /** Milliseconds, medians. */
  readonly without: number;
  readonly having: number;
  /** The second over the first: the median of resampled ones, and the ends of 95 % of them. */
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;

/** In turns, so that what else the machine does falls on both alike. */
export async function loadRatio(bare: Page, lent: Page, url: string, loads: number): Promise<LoadRatio> {
  const without: number[] = [];
  const having: number[] = [];
  for (const page of [bare, lent]) await loaded(page, url);
  for (let turn = 0; turn < loads; turn++) {
    without.push(await loaded(bare, url));
    having.push(await loaded(lent, url));
  }
  const random = createSeededRandom(3);
  const resampled = (values: readonly number[]) =>
    median(values.map(() => values[random.int(0, values.length - 1)] ?? 0));
  const ratios = Array.from({ length: RESAMPLES }, () => resampled(having) / resampled(without)).toSorted(
    (a, b) => a - b,
  );
  const at = (share: number) => ratios[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN;
  return {
    ...{ without: median(without), having: median(having) },
    ...{ middle: at(0.5), low: at(0.025), high: at(0.975) },
  };
}

/** As the page itself has it: https://www.w3.org/TR/navigation-timing-2/. */
async function loaded(page: Page, url: string): Promise<number> {
  await page.bringToFront();
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'load' });
  return page.evaluate(async () => {
    const entry = performance.getEntriesByType('navigation')[0];
    while (entry instanceof PerformanceNavigationTiming && entry.loadEventEnd === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return entry instanceof PerformanceNavigationTiming ? entry.loadEventEnd : Number.NaN;
  });
}
