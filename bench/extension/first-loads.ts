import type { OpenPage } from '@drawbridge/testbed';

type Page = OpenPage['page'];

/** Milliseconds from the start of the navigation. */
export interface FirstLoad {
  /** First contentful paint. */
  readonly painted: number;
  /** The end of the load event. */
  readonly loaded: number;
  /** Main-thread CPU time until the first paint, which does not depend on machine load. */
  readonly worked: number;
}

/** By then page code has entered the page, even on a busy machine; a person reads a page for longer. */
const REST_MS = 1_500;

/** Each load leaves a page of the same site. Loads alternate, so that machine load affects all alike. */
export async function firstLoads<Tab extends string>(
  tabs: Readonly<Record<Tab, Page>>,
  { from, to, loads }: { readonly from: string; readonly to: string; readonly loads: number },
): Promise<Record<Tab, readonly FirstLoad[]>> {
  const measured = (Object.entries<Page>(tabs) as [Tab, Page][]).map(([name, page]) => ({
    ...{ name, page, values: [] as FirstLoad[] },
  }));
  for (const { page } of measured) await firstLoad(page, from, to);
  for (let turn = 0; turn < loads; turn++) {
    const first = turn % measured.length;
    for (const { page, values } of [...measured.slice(first), ...measured.slice(0, first)])
      values.push(await firstLoad(page, from, to));
  }
  return Object.fromEntries(measured.map(({ name, values }) => [name, values])) as Record<Tab, FirstLoad[]>;
}

/** Read from the page: https://www.w3.org/TR/paint-timing/, https://www.w3.org/TR/navigation-timing-2/. */
async function firstLoad(page: Page, from: string, to: string): Promise<FirstLoad> {
  await page.bringToFront();
  await page.goto(from, { waitUntil: 'load' });
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), REST_MS);
  const session = await page.context().newCDPSession(page);
  // Counts from the start of each document.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(to, { waitUntil: 'commit' });
  const painted = await page.evaluate(firstPaint);
  const { metrics } = await session.send('Performance.getMetrics');
  const worked = 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  await page.waitForLoadState('load');
  const loaded = await page.evaluate(loadEnd);
  await session.detach();
  return { painted, loaded, worked };
}

const firstPaint = (): Promise<number> =>
  new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') resolve(startTime);
    }).observe({ type: 'paint', buffered: true });
  });

async function loadEnd(): Promise<number> {
  const entry = performance.getEntriesByType('navigation')[0];
  if (!(entry instanceof PerformanceNavigationTiming)) return Number.NaN;
  while (entry.loadEventEnd === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return entry.loadEventEnd;
}
