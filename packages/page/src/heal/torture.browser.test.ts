import { createSeededRandom, isDeep } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';
import { createTrial, runTrial, type Trial, type TrialEnd } from '../../test/heal/torture.ts';

const SEED = 20_261_115;
const TRIALS = isDeep ? 500 : 150;

test(`[INT-212] [INT-242] presses no wrong element on ${TRIALS} changing pages, and recovers 95 %`, {
  timeout: 300_000,
}, async () => {
  await using actions = await actionsOn('');
  const random = createSeededRandom(SEED);
  const trials = Array.from({ length: TRIALS }, (_, number) => createTrial(random.fork(number)));
  const ends: { trial: Trial; end: TrialEnd }[] = [];
  for (const trial of trials) ends.push({ trial, end: await actions.run(runTrial, trial) });

  const wrong = ends.filter(({ end }) => end.outcome === 'wrong');
  const recoverable = ends.filter(({ end }) => end.recoverable);
  const recovered = recoverable.filter(({ end }) => end.outcome === 'right');
  const lost = recoverable.filter(({ end }) => end.outcome !== 'right');
  console.log(
    `seed ${SEED}: ${TRIALS} trials, ${wrong.length} wrong, ${recovered.length} of ${recoverable.length} recoverable recovered,`,
    `${ends.filter(({ end }) => end.outcome === 'refused').length} refused`,
  );
  expect(wrong.map(describeEnd)).toEqual([]);
  expect(
    recovered.length / recoverable.length,
    lost.slice(0, 10).map(describeEnd).join('\n'),
  ).toBeGreaterThanOrEqual(0.95);
});

function describeEnd({ trial, end }: { trial: Trial; end: TrialEnd }): string {
  const kinds = trial.mutations.map(({ kind }) => kind).join(' ');
  return `${trial.shape}, row ${trial.target} of ${trial.rows}: ${kinds} -> ${end.pressed ?? end.reason}`;
}
