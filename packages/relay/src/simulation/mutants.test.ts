import { sampled } from '@drawbridge/testbed';
import { describe, expect, onTestFinished, test } from 'vitest';
import { check } from '../../test/simulation/checker.ts';
import { CLUSTER_MUTANTS, MUTANTS } from '../../test/simulation/mutants.ts';
import { mutateCore } from '../../test/simulation/mutated-core.ts';
import { createNastyBus } from '../../test/simulation/nasty-bus.ts';
import { runSeed, type Subject } from '../../test/simulation/simulation.ts';
import { createRelayCore } from '../core/relay-core.ts';

/** The rarest mutant is killed within the first few hundred. */
const SEEDS = 1_000;

const REAL: Subject = { createCore: createRelayCore, createBus: createNastyBus };

/** Problems of a run, including an exception of the core. */
const problemsOf = (seed: number, subject: Subject): Promise<readonly string[]> =>
  runSeed(seed, subject)
    .then(check)
    .catch((error: unknown) => [String(error)]);

/** A mutant with a broken reference would be killed by any test. */
const BROKEN = /ReferenceError|SyntaxError|is not a function|is not iterable/;

/** The first seed whose world ends well with the real core and not with this one. */
async function seedThatKills(mutant: Partial<Subject>, real: Subject = REAL): Promise<number | undefined> {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const problems = await problemsOf(seed, { ...real, ...mutant });
    const broken = problems.find((problem) => BROKEN.test(problem));
    if (broken !== undefined) throw new Error(`The mutant does not run: ${broken}`);
    if (problems.length > 0 && (await problemsOf(seed, real)).length === 0) return seed;
  }
  return undefined;
}

describe('the simulation kills a mutant that', () => {
  test.for(sampled(MUTANTS, 8))('$name', async (mutant) => {
    const { createCore, remove } = await mutateCore(mutant);
    onTestFinished(remove);
    expect(await seedThatKills({ createCore })).toBeDefined();
  });

  test.for(sampled(CLUSTER_MUTANTS, 8))('$name (cluster)', async (mutant) => {
    const { createCore, remove } = await mutateCore(mutant);
    onTestFinished(remove);
    expect(await seedThatKills({ createCore }, { ...REAL, isCluster: true })).toBeDefined();
  });

  test('acknowledges a write before the disk has synced', async () => {
    expect(await seedThatKills({ lies: true })).toBeDefined();
  });
});
