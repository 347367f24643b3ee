import { setTimeout as passed } from 'node:timers/promises';
import { createSeededRandom, recordRun, type SeededRandom } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import type { ClusterHarness } from '../../test/cluster/cluster-harness.ts';
import { NODES, SHORT_LEASE, underLoad } from '../../test/cluster/cluster-load.ts';

/** `npm run deep` sets a higher count. */
const KILLS = Number(process.env['DRAWBRIDGE_NODE_KILLS'] ?? 3);
const SEED = Number(process.env['DRAWBRIDGE_NODE_SEED'] ?? 1);
/** One hour forward and back, like a machine whose clock was set. */
const JUMP_MS = 3_600_000;

type Fault = (harness: ClusterHarness, random: SeededRandom) => Promise<void>;

async function restart(harness: ClusterHarness, indexes: readonly number[]): Promise<void> {
  await Promise.all(indexes.map((index) => harness.kill(index)));
  await Promise.all(indexes.map((index) => harness.begin(index)));
}

/** In turn: nodes, and what they depend on. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'all nodes are killed': (harness) => restart(harness, NODES),
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
  'a node is killed': (harness, random) => restart(harness, [random.pick(harness.living())]),
  async 'the leader is killed'(harness) {
    await restart(harness, [await harness.leader()]);
  },
  'two nodes are killed': (harness, random) => restart(harness, random.shuffle(NODES).slice(0, 2)),
  async 'a node stops, as in an upgrade'(harness, random) {
    const index = random.pick(harness.living());
    await harness.stop(index);
    await harness.begin(index);
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

test(
  `${KILLS} faults of nodes, database, bus and clocks: nothing is lost or doubled`,
  async () => {
    const random = createSeededRandom(SEED);
    const faults = Object.entries(FAULTS);
    let figures = {};
    let inFlight = 0;
    const report = await underLoad(async ({ harness, outages, during }) => {
      for (let fault = 0; fault < KILLS; fault += 1) {
        await passed(random.int(20, 800));
        const [kind, strike] = faults[fault % faults.length] ?? [];
        if (kind !== undefined && strike !== undefined) await during(kind, () => strike(harness, random));
      }
      figures = outages.table();
      inFlight = outages.inFlight();
    }, SHORT_LEASE);
    expect(report.injected).toBeGreaterThan(0);
    const { problems: _, ...counts } = report;
    recordRun('three-nodes', {
      title: `${KILLS} faults of three nodes, their database, bus and clocks under load, seed ${SEED}`,
      command: `DRAWBRIDGE_NODE_KILLS=${KILLS} DRAWBRIDGE_NODE_SEED=${SEED} npm run deep -- cluster-kill`,
      tables: [{ sends: counts }, figures],
    });
    // The proxy keeps a record of its injections.
    expect(report.unknown).toBeLessThanOrEqual(inFlight / 100);
  },
  240_000 + KILLS * 20_000,
);
