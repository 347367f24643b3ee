import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mutate } from '@drawbridge/testbed/mutation';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { moduleOf } from './mutated-tree.ts';

const ROOT = join(import.meta.dirname, '../..');

/** `npm run deep` shows that a test fails for each of them: `mutants.test.ts`. */
test('the code that each mutant of a defence changes is there, and its test names a file', async () => {
  for (const {
    defence,
    of,
    changes,
    test: [file],
  } of MUTANTS) {
    const [folder, exported] = of;
    const source = await readFile(await moduleOf(join(ROOT, folder), exported), 'utf8');
    expect(mutate(source, changes), defence).not.toBe(source);
    expect(await readFile(join(ROOT, file), 'utf8'), defence).toContain('test');
  }
});
