import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { problemsOfSend, type SendMachine, starts, steps } from '../../test/core/send-checker.ts';
import { type Mutant, mutateCore } from '../../test/simulation/mutated-core.ts';
import { stepSend, storedSend } from './send.ts';

const RUNS = 5_000;

const check = (machine: SendMachine) =>
  fc.check(
    fc.property(starts, steps, (start, script) => {
      expect(problemsOfSend(machine, start, script)).toEqual([]);
    }),
    { numRuns: RUNS, seed: 1 },
  );

test('[CHT-147] [CHT-154] [CHT-160] [CHT-202] [CHT-300] a send is never doubled, never denied while it may be in the agent, and settled once', () => {
  fc.assert(
    fc.property(starts, steps, (start, script) => {
      expect(problemsOfSend({ stepSend, storedSend }, start, script)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

const MUTANTS: readonly Mutant[] = [
  {
    name: 'forgets sends in flight at a crash',
    of: storedSend,
    changes: [{ find: "$attempt > 0 ? 'in_doubt' : 'queued'", replace: "'queued'" }],
  },
  {
    name: 'settles a send that is leaving with its old attempt',
    of: stepSend,
    changes: [{ find: '$send.isLeaving ? $later : $now', replace: '$now' }],
  },
  {
    name: 'leaves a send in doubt without a limit',
    of: stepSend,
    changes: [{ find: "[$stored($numbers), [{ do: 'watch' }]]", replace: '[$stored($numbers), []]' }],
  },
  {
    name: 'denies a send in doubt when its session ends',
    of: stepSend,
    changes: [{ find: '$isNew ? $failures.away : $failures.lost', replace: '$failures.away', times: 2 }],
  },
  {
    name: 'takes the acceptance of another node for its own',
    of: stepSend,
    changes: [{ find: '$send?.event_id === $event.event_id ? $send : undefined', replace: '$send' }],
  },
];

describe('the model kills a mutant that', () => {
  test.for(MUTANTS)('$name', async (mutant) => {
    const { machine, remove } = await mutateCore(mutant);
    onTestFinished(remove);
    expect(check(machine).failed).toBe(true);
  });
});
