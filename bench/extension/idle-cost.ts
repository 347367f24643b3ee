import type { openBuiltExtension } from '@drawbridge/extension/test/built-extension';
import type { OpenPage } from '@drawbridge/testbed';
import { median } from '../measure.ts';

export interface Cost {
  /** Main-thread milliseconds per second. */
  readonly cpu: number;
  /** Megabytes of script heap after a garbage collection. */
  readonly heap: number;
}

const PAIRS = 3;
const SETTLE_MS = 2_000;

/** Measures the same page in the same browser in turns: lent with one snapshot taken, and not lent. */
export async function idleCost(
  stand: Awaited<ReturnType<typeof openBuiltExtension>>,
  url: string,
  seconds: number,
): Promise<{ readonly without: Cost; readonly having: Cost }> {
  const without: Cost[] = [];
  const having: Cost[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const bare = await stand.open(url);
    without.push(await costOf(bare, seconds));
    await bare.close();
    const { page, key, close } = await stand.lend(url);
    // The first snapshot makes page code tag and observe the page.
    await stand.bridge.call({ name: 'page.snapshot', arguments: {}, target: { runtime_key: key } }).output;
    having.push(await costOf(page, seconds));
    await close();
  }
  return { without: middleOf(without), having: middleOf(having) };
}

const middleOf = (costs: readonly Cost[]): Cost => ({
  cpu: median(costs.map(({ cpu }) => cpu)),
  heap: median(costs.map(({ heap }) => heap)),
});

async function costOf(page: OpenPage['page'], seconds: number): Promise<Cost> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const figure = async (wanted: string) => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  };
  const wait = (ms: number) => page.evaluate((time) => new Promise((done) => setTimeout(done, time)), ms);
  await wait(SETTLE_MS);
  const before = await figure('TaskDuration');
  await wait(seconds * 1_000);
  const cpu = ((await figure('TaskDuration')) - before) * (1_000 / seconds);
  await session.send('HeapProfiler.collectGarbage');
  const heap = (await figure('JSHeapUsedSize')) / 1_048_576;
  await session.detach();
  return { cpu, heap };
}
