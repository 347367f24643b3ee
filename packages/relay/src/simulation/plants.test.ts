import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBranchCore } from '../core/branch-core.ts';
import { createRelayCore } from '../core/relay-core.ts';
import { check } from './checker.suite.ts';
import { createNastyBus } from './nasty-bus.suite.ts';
import { plantBug } from './planted-core.suite.ts';
import { CLUSTER_PLANTS, PLANTS } from './plants.suite.ts';
import { runSeed, type Subject } from './world.suite.ts';

// Each runs worlds until one shows it, on a machine that others may be using.
vi.setConfig({ testTimeout: 120_000 });

/** As many as `npm test` runs of the real core. */
const SEEDS = 1_000;

const REAL: Subject = { createCore: createRelayCore, createBus: createNastyBus };

/** A mistake may also show in that the core throws at whoever calls it. */
const endsWell = (seed: number, subject: Subject): Promise<boolean> =>
  runSeed(seed, subject)
    .then(check)
    .then(
      (wrong) => wrong.length === 0,
      () => false,
    );

/** The first seed whose world ends well with the real core and not with this one. */
async function seedThatShows(mistake: Partial<Subject>, real: Subject = REAL): Promise<number | undefined> {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    if (!(await endsWell(seed, { ...real, ...mistake })) && (await endsWell(seed, real))) return seed;
  }
  return undefined;
}

describe('a mistake that was put there is found', () => {
  test.for(PLANTS)('$name', async (plant) => {
    const { createCore, remove } = await plantBug(plant);
    onTestFinished(remove);
    expect(await seedThatShows({ createCore })).toBeDefined();
  });

  test.for(CLUSTER_PLANTS)('among several relays: $name', async (plant) => {
    const { createCore, createBranch, remove } = await plantBug(plant);
    onTestFinished(remove);
    const real = { ...REAL, createBranch: createBranchCore };
    expect(await seedThatShows({ createCore, createBranch }, real)).toBeDefined();
  });

  test('a disk that answers before it has synced', async () => {
    expect(await seedThatShows({ lies: true })).toBeDefined();
  });
});
