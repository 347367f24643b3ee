import type { Page } from './phone.ts';

export interface FrameTimes {
  readonly count: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly worstMs: number;
  /** Frames more than 50 ms after the previous one, which a person notices. */
  readonly hitches: number;
}

/** Runs in the page: collects times between frames for another call to take. */
const RECORD = `(() => {
  const times = [];
  let last = performance.now();
  let isOver = false;
  const tick = (now) => {
    times.push(now - last);
    last = now;
    if (!isOver) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  globalThis.benchFrames = () => { isOver = true; return times.slice(1); };
})()`;

/** Times between painted frames during `work`. */
export async function framesDuring(page: Page, work: () => Promise<void>): Promise<FrameTimes> {
  await page.evaluate(RECORD);
  await work();
  return summaryOf(await page.evaluate<number[]>('benchFrames()'));
}

const HITCH_MS = 50;

export function summaryOf(times: readonly number[]): FrameTimes {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return {
    count: sorted.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    worstMs: at(1),
    hitches: sorted.filter((ms) => ms > HITCH_MS).length,
  };
}

/** Runs in the page: time of each key from press to paint. https://w3c.github.io/event-timing/ */
const LISTEN = `(() => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries()))
    .observe({ type: 'event', durationThreshold: 16, buffered: false });
  globalThis.benchKeys = () => seen.filter(({ name }) => name === 'keydown' || name === 'click').map(({ duration }) => duration);
})()`;

/** Browsers report no event faster than 16 ms; those count as this. */
const UNTOLD_MS = 16;

/** Latencies of `count` keys or clicks during `work`; unreported ones were below the browser's threshold. */
export async function latencyDuring(
  page: Page,
  count: number,
  work: () => Promise<void>,
): Promise<FrameTimes> {
  await page.evaluate(LISTEN);
  await work();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const told = await page.evaluate<number[]>('benchKeys()');
  return summaryOf([...told, ...Array(Math.max(0, count - told.length)).fill(UNTOLD_MS)]);
}
