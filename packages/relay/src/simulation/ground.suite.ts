import { createHash } from 'node:crypto';
import { createFakeClock, createSeededRandom, type SeededRandom } from '@drawbridge/testbed';

/** What everything in a simulated world stands on: one time, one chance, one order of what happens. */
export interface Ground {
  readonly random: SeededRandom;
  /** Milliseconds since the world began; never jumps. */
  readonly now: () => number;
  /** The wall's, which may. */
  readonly wall: () => number;
  readonly iso: () => string;
  readonly jumpWall: (ms: number) => void;
  /** Runs later, and never once `while_` says no: what a crashed process had planned is gone with it. */
  readonly after: (ms: number, run: () => void, while_?: () => boolean) => () => void;
  readonly pass: (ms: number) => Promise<void>;
  /** Somebody may have made a promise: its callbacks run before time goes on. */
  readonly stir: () => void;
  /** The next number of the one order in which logs are written. */
  readonly order: () => number;
  readonly id: (kind: string) => string;
  readonly trace: (...what: readonly (string | number)[]) => void;
  readonly traceHash: () => string;
}

const BEGINNING = Date.UTC(2026, 0, 1);

export function createGround(seed: number, onTrace: (line: string) => void = () => {}): Ground {
  const clock = createFakeClock(BEGINNING);
  const hash = createHash('sha256');
  let jumped = 0;
  let orders = 0;
  let ids = 0;
  let stirred = true;
  const now = () => clock.now() - BEGINNING - jumped;
  return {
    random: createSeededRandom(seed),
    now,
    wall: clock.now,
    iso: () => new Date(clock.now()).toISOString(),
    jumpWall: (ms) => {
      // A clock that is days off is wrong, and not only now and then.
      if (Math.abs(jumped + ms) > 2 * 86_400_000) return;
      jumped += ms;
      clock.jump(ms);
    },
    after: (ms, run, while_ = () => true) => {
      const handle = clock.setTimeout(() => {
        if (while_()) run();
      }, ms);
      return () => clock.clearTimeout(handle);
    },
    pass: async (ms) => {
      const until = now() + ms;
      for (;;) {
        if (stirred) await promisesSettled();
        stirred = false;
        const rest = until - now();
        const wait = (clock.nextAt() ?? Number.POSITIVE_INFINITY) - clock.now();
        clock.advance(Math.min(wait, rest));
        if (wait > rest) return;
      }
    },
    stir: () => {
      stirred = true;
    },
    order: () => {
      orders += 1;
      return orders;
    },
    id: (kind) => {
      ids += 1;
      return `${kind}_${ids}`;
    },
    trace: (...what) => {
      const line = `${now()} ${what.join(' ')}`;
      hash.update(line);
      onTrace(line);
    },
    traceHash: () => hash.digest('hex'),
  };
}

/** A turn of the real event loop: every promise callback that is ready runs before it comes. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
