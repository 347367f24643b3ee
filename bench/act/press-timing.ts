import { median } from '../measure.ts';
import type { BenchChromium, Tab } from '../page/chromium.ts';
import { clockOffset } from './page-clock.ts';
import type { PressPage } from './press-page.ts';
import { type PressSubject, type RunningPress, rawPress } from './press-subject.ts';

/** Milliseconds of many rounds. */
export interface Spread {
  readonly median: number;
  /** A tenth of the rounds was quicker than `low`, a tenth slower than `high`. */
  readonly low: number;
  readonly high: number;
}

export interface PressTimes {
  readonly name: string;
  readonly page: string;
  readonly toPress: Spread;
  /** Until the caller had its answer: for ours, with what came of the press. */
  readonly toReturn: Spread;
  /** The bare protocol on the same tab, in turns with the subject. */
  readonly floor: Spread;
  /** The subject's own way there and back, with nothing done. */
  readonly ping: Spread | undefined;
  /** How wrong the clocks can be against each other. */
  readonly clockWithin: number;
}

/** Enough for code to be compiled and caches to be filled, in the browser and in the subject: after these it hardly gets quicker. */
const WARM_UP_ROUNDS = 10;

/** The subject and the floor in turns, on a tab that nobody else uses: what else the machine does meets both. */
export async function timePresses(
  chromium: BenchChromium,
  subject: PressSubject,
  { name, url }: PressPage,
  rounds: number,
): Promise<PressTimes> {
  const tab = await chromium.openTab();
  await chromium.closeOthers(tab);
  await tab.goto(url);
  const running = await subject.start(chromium, tab, url);
  try {
    const timer = pressTimer(tab);
    const floor = rawPress(tab);
    const [subjects, floors, pings]: [Timed[], Timed[], number[]] = [[], [], []];
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      const [ours, theirs] = [await timer.time(running.press), await timer.time(floor)];
      const ping = await pingTime(running);
      if (round < 0) continue;
      subjects.push(ours);
      floors.push(theirs);
      if (ping !== undefined) pings.push(ping);
    }
    return {
      name: subject.name,
      page: name,
      toPress: spreadOf(subjects.map(({ toPress }) => toPress)),
      toReturn: spreadOf(subjects.map(({ toReturn }) => toReturn)),
      floor: spreadOf(floors.map(({ toPress }) => toPress)),
      ping: pings.length === 0 ? undefined : spreadOf(pings),
      clockWithin: timer.within(),
    };
  } finally {
    await running.close();
  }
}

interface Timed {
  readonly toPress: number;
  readonly toReturn: number;
}

function pressTimer(tab: Tab) {
  let worst = 0;
  return {
    within: () => worst,
    async time(press: () => Promise<unknown>): Promise<Timed> {
      // Before the quiet: forty ways there and back just before a press would warm up the floor's own, and no other.
      const offset = await clockOffset(tab);
      worst = Math.max(worst, offset.within);
      await tab.evaluate(QUIET);
      const called = performance.now();
      await press();
      const toReturn = performance.now() - called;
      const [pressedAt, ...more] = await tab.evaluate<number[]>('globalThis.pressedAt.splice(0)');
      if (pressedAt === undefined || more.length > 0)
        throw new Error(`One press was made, and ${more.length + (pressedAt === undefined ? 0 : 1)} came.`);
      return { toPress: pressedAt + offset.ms - called, toReturn };
    },
  };
}

/**
 * What the last press set off is over, and the page has nothing to do. Whoever watches it has had time to look again,
 * too: an agent takes longer than that from one press to the next.
 */
const QUIET = `new Promise((done) => setTimeout(() => requestAnimationFrame(() =>
  requestIdleCallback(() => { globalThis.pressedAt.length = 0; done(true); }, { timeout: 200 })), 100))`;

async function pingTime({ ping }: RunningPress): Promise<number | undefined> {
  if (ping === undefined) return undefined;
  const sent = performance.now();
  await ping();
  return performance.now() - sent;
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: median(values), low: at(0.1), high: at(0.9) };
}
