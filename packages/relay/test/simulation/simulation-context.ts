import { createHash } from 'node:crypto';
import { createFakeClock, createSeededRandom, type SeededRandom } from '@drawbridge/testbed';

/** Simulation harness: one clock, one random source, one order of events. */
export interface SimulationContext {
  readonly random: SeededRandom;
  /** Milliseconds since the start of the world; monotonic. */
  readonly now: () => number;
  /** Wall clock, which may jump. */
  readonly wall: () => number;
  readonly iso: () => string;
  readonly jumpWall: (ms: number) => void;
  /** Runs later, unless `while_` is false by then: a crashed process loses its timers. */
  readonly after: (ms: number, run: () => void, while_?: () => boolean) => () => void;
  readonly pass: (ms: number) => Promise<void>;
  /** Marks that promises may be pending: their callbacks run before time advances. */
  readonly stir: () => void;
  /** The next number in the order of all log entries. */
  readonly order: () => number;
  readonly id: (kind: string) => string;
  readonly trace: (...what: readonly (string | number)[]) => void;
  readonly traceHash: () => string;
}

const BEGINNING = Date.UTC(2026, 0, 1);

export function createSimulationContext(
  seed: number,
  onTrace: (line: string) => void = () => {},
): SimulationContext {
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
      // Limits the total offset: a clock that is days off is wrong all the time.
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

/** One turn of the real event loop, after every ready promise callback. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
