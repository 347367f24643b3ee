import { median } from '../measure.ts';
import type { BenchChromium, Tab } from '../page/chromium.ts';
import { clockOffset } from './page-clock.ts';
import type { PressPage } from './press-page.ts';
import { type PressSubject, type RunningPress, rawPress } from './press-subject.ts';

/** Milliseconds over many rounds. */
export interface Spread {
  readonly median: number;
  /** The 10th and 90th percentile. */
  readonly low: number;
  readonly high: number;
}

export interface PressTimes {
  readonly name: string;
  readonly page: string;
  readonly toPress: Spread;
  /** Time until the caller had its answer; ours includes the effects of the press. */
  readonly toReturn: Spread;
  /** Bare CDP on the same tab, alternating with the subject. */
  readonly floor: Spread;
  /** The subject's round trip without an action. */
  readonly ping: Spread | undefined;
  /** Maximum error between the two clocks. */
  readonly clockWithin: number;
}

/**
 * Enough to compile code and fill caches in the browser and the subject; further rounds hardly speed it up.
 */
const WARM_UP_ROUNDS = 10;

/** Alternates the subject and the floor on an otherwise unused tab, so that machine load affects both. */
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
      // Before the page settles: forty round trips right before a press would warm up only the floor.
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
 * Waits until the effects of the last press are over and the page is idle. Observers have had time to look
 * again too, since an agent takes longer than that between presses.
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
