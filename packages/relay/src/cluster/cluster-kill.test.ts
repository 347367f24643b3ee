import { setTimeout as passed } from 'node:timers/promises';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { SHORT_LEASE, underLoad } from './cluster-load.suite.ts';
import type { ClusterStand } from './cluster-stand.suite.ts';

/** `npm run deep` sets a higher count. */
const KILLS = Number(process.env['DRAWBRIDGE_NODE_KILLS'] ?? 6);
const SEED = Number(process.env['DRAWBRIDGE_NODE_SEED'] ?? 1);
/** One hour forward and back, like a machine whose clock was set. */
const JUMP_MS = 3_600_000;

type Trouble = (stand: ClusterStand, random: ReturnType<typeof createSeededRandom>) => Promise<void>;

/** Faults between the kills, in turn. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  async 'the database crashes'({ postgres }, random) {
    await postgres.stop('immediate');
    await passed(random.int(0, 1_500));
    await postgres.start();
  },
  async 'the bus is gone'({ nats }, random) {
    await nats.stop();
    await passed(random.int(0, 2_000));
    await nats.start();
  },
  async 'the lines to the bus are cut'({ busLine }) {
    busLine.cut();
  },
  async 'the lines to the bus are silent'({ busLine }, random) {
    busLine.pause();
    await passed(random.int(0, 2_000));
    busLine.resume();
  },
  async 'a clock jumps'(stand, random) {
    stand.jump(random.pick(stand.living()), random.pick([JUMP_MS, -JUMP_MS]));
  },
  async 'a node hangs'(stand, random) {
    const place = random.pick(stand.living());
    stand.freeze(place);
    await passed(random.int(0, 5_000));
    stand.thaw(place);
  },
};
/** A short run has each fault once. */
const KILLS_A_TROUBLE = KILLS < 20 ? 1 : 3;

test(
  `nodes are killed ${KILLS} times, with database, bus and clock faults in between: nothing is lost or doubled`,
  async () => {
    const random = createSeededRandom(SEED);
    const troubles = Object.values(TROUBLES);
    const report = await underLoad(async (stand) => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await passed(random.int(20, 800));
        // Up to two of three may be down at a time.
        const first = random.pick(stand.living());
        await stand.kill(first);
        const second = random.int(0, 4) === 0 ? random.pick(stand.living()) : undefined;
        if (second !== undefined) await stand.kill(second);
        if (kill % KILLS_A_TROUBLE === 0) {
          await troubles[(kill / KILLS_A_TROUBLE) % troubles.length]?.(stand, random);
        }
        await Promise.all(
          [first, ...(second === undefined ? [] : [second])].map((place) => stand.begin(place)),
        );
      }
    }, SHORT_LEASE);
    expect(report.injected).toBeGreaterThan(0);
    console.info(
      `${KILLS} kills of nodes: ${report.accepted} accepted, ${report.injected} injected, ${report.events} events`,
    );
  },
  240_000 + KILLS * 20_000,
);
