import { median } from '../measure.ts';
import type { BenchChromium, Tab } from './chromium.ts';
import { startPageCode } from './page-code.ts';

/** Cost of tagging and observing a page that changes constantly while no agent looks at it. */
export interface IdleOverhead {
  /** Main-thread CPU time over the same mutations, without and with our code. */
  readonly without: Spent;
  readonly having: Spent;
  /** Relative spread of the runs without our code: smaller differences mean little. */
  readonly noise: number;
}

export interface Spent {
  readonly taskMs: number;
  readonly scriptMs: number;
  /** Style and layout time, which badly timed reads increase. */
  readonly layoutMs: number;
  /** Wall time, including waits. */
  readonly lastedMs: number;
}

const MUTATIONS = 300;
const EVERY_MS = 10;
const PAIRS = 5;
const SETTLE_MS = 1_500;

export async function idleOverhead(chromium: BenchChromium, url: string): Promise<IdleOverhead> {
  const without: Spent[] = [];
  const having: Spent[] = [];
  // In turns, each in a fresh tab, so that machine load affects both alike.
  for (let pair = 0; pair < PAIRS; pair++) {
    without.push(await spentOn(chromium, url, async () => {}));
    having.push(await spentOn(chromium, url, startPageCode));
  }
  const times = without.map(({ taskMs }) => taskMs);
  const noise = (Math.max(...times) - Math.min(...times)) / median(times);
  return { without: middleOf(without), having: middleOf(having), noise };
}

function middleOf(runs: readonly Spent[]): Spent {
  const middle = (of: keyof Spent) => median(runs.map((run) => run[of]));
  return {
    taskMs: middle('taskMs'),
    scriptMs: middle('scriptMs'),
    layoutMs: middle('layoutMs'),
    lastedMs: middle('lastedMs'),
  };
}

async function spentOn(
  chromium: BenchChromium,
  url: string,
  prepare: (tab: Tab) => Promise<void>,
): Promise<Spent> {
  const tab = await chromium.openTab();
  await tab.session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await tab.goto(url);
  await prepare(tab);
  // The first tagging of the whole page is not part of idling.
  await tab.evaluate(`new Promise((done) => setTimeout(done, ${SETTLE_MS}))`);
  const before = await metricsOf(tab);
  const started = performance.now();
  await tab.evaluate(`(${MUTATE})(${MUTATIONS}, ${EVERY_MS})`);
  const lastedMs = performance.now() - started;
  const after = await metricsOf(tab);
  await tab.close();
  return {
    taskMs: after.taskMs - before.taskMs,
    scriptMs: after.scriptMs - before.scriptMs,
    layoutMs: after.layoutMs - before.layoutMs,
    lastedMs,
  };
}

async function metricsOf({ session }: Tab): Promise<Omit<Spent, 'lastedMs'>> {
  const { metrics } = await session.send('Performance.getMetrics');
  const ms = (wanted: string) => (metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN) * 1000;
  return {
    taskMs: ms('TaskDuration'),
    scriptMs: ms('ScriptDuration'),
    layoutMs: ms('LayoutDuration') + ms('RecalcStyleDuration'),
  };
}

/** Mutations of a typical live page: a counting text, a toggled class, a row that appears and disappears. */
const MUTATE = `(mutations, every) => new Promise((done) => {
  const list = document.querySelector('.cards');
  const price = document.querySelector('.price');
  const badge = document.querySelector('.badge');
  let made = 0;
  const timer = setInterval(() => {
    const turn = made++ % 4;
    if (turn === 0) price.textContent = String(made);
    if (turn === 1) badge.classList.toggle('on');
    if (turn === 2) {
      const card = list.firstElementChild.cloneNode(true);
      for (const stamped of [card, ...card.querySelectorAll('*')]) stamped.removeAttribute('data-llm-id');
      list.append(card);
    }
    if (turn === 3) list.lastElementChild.remove();
    if (made === mutations) { clearInterval(timer); setTimeout(done, 200); }
  }, every);
})`;
