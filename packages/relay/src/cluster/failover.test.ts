import { setTimeout as passed } from 'node:timers/promises';
import { isDeep, recordRun } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { NODES, underLoad } from '../../test/cluster/cluster-load.ts';

/** Long enough for everything that a thawed node still tries. */
const WHILE_MS = 1_500;
const LIMIT_MS = 240_000;

test(
  'loses and doubles nothing when leader and follower are killed, then all are restarted in turn, under load',
  async () => {
    await underLoad(async ({ harness }) => {
      const first = await harness.leader();
      await harness.kill(first);
      const second = await harness.leader();
      expect(second).not.toBe(first);
      await harness.begin(first);
      const follower = NODES.find((index) => index !== second && index !== first) ?? first;
      await harness.kill(follower);
      await harness.begin(follower);
      for (const index of isDeep ? NODES : NODES.slice(0, 1)) {
        await harness.stop(index);
        await harness.begin(index);
        await harness.leader();
      }
    });
  },
  LIMIT_MS,
);

test(
  'refuses commits of a leader that froze and woke after another took over, and the old leader steps down',
  async () => {
    await underLoad(async ({ harness }) => {
      const first = await harness.leader();
      harness.freeze(first);
      const second = await harness.leader();
      expect(second).not.toBe(first);
      harness.thaw(first);
      await passed(WHILE_MS);
      expect(await harness.leader()).toBe(second);
    });
  },
  LIMIT_MS,
);

/** `npm run deep` sets a higher count. */
const LEADER_KILLS = Number(process.env['DRAWBRIDGE_LEADER_KILLS'] ?? 2);

test(
  `another node leads after each of ${LEADER_KILLS} kills of the leader, with the lease of the product`,
  async () => {
    const seconds: number[] = [];
    let figures = {};
    const { problems: _, ...counts } = await underLoad(async ({ harness, outages, during }) => {
      for (let kill = 0; kill < LEADER_KILLS; kill += 1) {
        const first = await harness.leader();
        await during('the leader is killed', async () => {
          const since = performance.now();
          await harness.kill(first);
          expect(await harness.leader()).not.toBe(first);
          seconds.push((performance.now() - since) / 1_000);
        });
        await harness.begin(first);
      }
      figures = outages.table();
    }, {});
    const sorted = seconds.toSorted((one, other) => one - other);
    const at = (share: number): number =>
      Number((sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2));
    recordRun('failover', {
      title: `${LEADER_KILLS} kills of the leader of three nodes, with the lease of the product`,
      command: `DRAWBRIDGE_LEADER_KILLS=${LEADER_KILLS} npm run deep -- cluster/failover`,
      tables: [{ 'another node leads': { 'p50 s': at(0.5), 'max s': at(1) } }, { sends: counts }, figures],
    });
  },
  LIMIT_MS + LEADER_KILLS * 30_000,
);
