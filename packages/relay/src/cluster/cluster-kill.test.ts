import { setTimeout as passed } from 'node:timers/promises';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import type { ClusterHarness } from '../../test/cluster/cluster-harness.ts';
import { SHORT_LEASE, underLoad } from '../../test/cluster/cluster-load.ts';

/** `npm run deep` sets a higher count. */
const KILLS = Number(process.env['DRAWBRIDGE_NODE_KILLS'] ?? 3);
const SEED = Number(process.env['DRAWBRIDGE_NODE_SEED'] ?? 1);
/** One hour forward and back, like a machine whose clock was set. */
const JUMP_MS = 3_600_000;

type Fault = (harness: ClusterHarness, random: ReturnType<typeof createSeededRandom>) => Promise<void>;

/** Faults between the kills, in turn. */
const FAULTS: Readonly<Record<string, Fault>> = {
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
  async 'the lines to the bus are cut'({ busProxy }) {
    busProxy.cut();
  },
  async 'the lines to the bus are silent'({ busProxy }, random) {
    busProxy.pause();
    await passed(random.int(0, 2_000));
    busProxy.resume();
  },
  async 'a clock jumps'(harness, random) {
    harness.jump(random.pick(harness.living()), random.pick([JUMP_MS, -JUMP_MS]));
  },
  async 'a node hangs'(harness, random) {
    const index = random.pick(harness.living());
    harness.freeze(index);
    await passed(random.int(0, 5_000));
    harness.thaw(index);
  },
};
/** A short run has each fault once. */
const KILLS_PER_FAULT = KILLS < 20 ? 1 : 3;

test(
  `nodes are killed ${KILLS} times, with database, bus and clock faults in between: nothing is lost or doubled`,
  async () => {
    const random = createSeededRandom(SEED);
    const faults = Object.values(FAULTS);
    const report = await underLoad(async (harness) => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await passed(random.int(20, 800));
        // Up to two of three may be down at a time.
        const first = random.pick(harness.living());
        await harness.kill(first);
        const second = random.int(0, 4) === 0 ? random.pick(harness.living()) : undefined;
        if (second !== undefined) await harness.kill(second);
        if (kill % KILLS_PER_FAULT === 0) {
          await faults[(kill / KILLS_PER_FAULT) % faults.length]?.(harness, random);
        }
        await Promise.all(
          [first, ...(second === undefined ? [] : [second])].map((index) => harness.begin(index)),
        );
      }
    }, SHORT_LEASE);
    expect(report.injected).toBeGreaterThan(0);
    const { problems: _, ...counts } = report;
    console.table({ [`${KILLS} kills of nodes`]: counts });
  },
  240_000 + KILLS * 20_000,
);
