import { setTimeout as passed } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NODES, underLoad } from './cluster-load.suite.ts';

/** Long enough for everything that a thawed node still tries. */
const WHILE_MS = 1_500;
const LIMIT_MS = 240_000;

test(
  'loses and doubles nothing when leader and follower are killed, then all are restarted in turn, under load',
  async () => {
    await underLoad(async (stand) => {
      const first = await stand.keeper();
      await stand.kill(first);
      const second = await stand.keeper();
      expect(second).not.toBe(first);
      await stand.begin(first);
      const branch = NODES.find((place) => place !== second && place !== first) ?? first;
      await stand.kill(branch);
      await stand.begin(branch);
      for (const place of NODES) {
        await stand.stop(place);
        await stand.begin(place);
        await stand.keeper();
      }
    });
  },
  LIMIT_MS,
);

test(
  'refuses commits of a leader that froze and woke after another took over, and the old leader steps down',
  async () => {
    await underLoad(async (stand) => {
      const first = await stand.keeper();
      stand.freeze(first);
      const second = await stand.keeper();
      expect(second).not.toBe(first);
      stand.thaw(first);
      await passed(WHILE_MS);
      expect(await stand.keeper()).toBe(second);
    });
  },
  LIMIT_MS,
);
