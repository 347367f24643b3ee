import { setTimeout as passed } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NODES, underLoad } from './cluster-load.suite.ts';

/** Long enough for what a thawed node still tries. */
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
  'a keeper that hangs, and wakes up after another took over: its commits are refused, and it makes way',
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
