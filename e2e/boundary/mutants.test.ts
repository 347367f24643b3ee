import { afterAll, beforeAll, expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { copyTree } from './mutated-tree.ts';

let tree: Awaited<ReturnType<typeof copyTree>>;

beforeAll(async () => {
  tree = await copyTree();
});
afterAll(() => tree.remove());

/** A mutant with a broken reference would be killed by any test. */
const BROKEN = /ReferenceError|SyntaxError|is not iterable/;

test('without a mutant the tests that kill them pass', async () => {
  const [files, titles] = [0, 1].map((at) => [...new Set(MUTANTS.map((mutant) => mutant.test[at] ?? ''))]);
  const { passed, failed, messages } = await tree.run(files ?? [], titles ?? []);
  expect({ failed, messages }).toEqual({ failed: 0, messages: '' });
  expect(passed).toBeGreaterThanOrEqual(titles?.length ?? Infinity);
}, 1_200_000);

test.each(MUTANTS)(
  'without its defence fails: $defence',
  async (mutant) => {
    const { passed, failed, messages } = await tree.runMutant(mutant);
    expect(passed + failed, 'tests with this title').toBeGreaterThan(0);
    expect(messages).not.toMatch(BROKEN);
    expect(failed).toBeGreaterThan(0);
  },
  600_000,
);
