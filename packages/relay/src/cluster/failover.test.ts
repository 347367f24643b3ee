import { setTimeout as passed } from 'node:timers/promises';
import { isDeep } from '@drawbridge/testbed';
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
