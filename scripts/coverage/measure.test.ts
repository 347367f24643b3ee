import { expect, test } from 'vitest';
import { createFileCoverage } from './measure.ts';

const SOURCE = `import { a } from './a.ts';

/** Comment. */
export interface Shape {
  readonly size: number;
}

export function pick(left: boolean) {
  if (left) {
    return a(1);
  }
  return a(2);
}
`;

const at = (text: string) => SOURCE.indexOf(text);
const module = { startOffset: 0, endOffset: SOURCE.length, count: 1 };
const body = { startOffset: at('export function'), endOffset: SOURCE.length - 1 };
const taken = { startOffset: at('{\n    return a(1)'), endOffset: at('\n  return a(2)') };

const run = (calls: number, left: number) => ({
  url: 'file:///pick.ts',
  functions: [
    { isBlockCoverage: true, ranges: [module] },
    {
      isBlockCoverage: true,
      ranges: [
        { ...body, count: calls },
        { ...taken, count: left },
      ],
    },
  ],
});

test('counts lines with code and branches taken', () => {
  const coverage = createFileCoverage(SOURCE);
  coverage.add(run(1, 0));
  expect(coverage.counts()).toEqual({ lines: 4, coveredLines: 3, branches: 1, coveredBranches: 0 });
});

test('adds up several processes', () => {
  const coverage = createFileCoverage(SOURCE);
  coverage.add(run(1, 0));
  coverage.add(run(0, 0));
  coverage.add(run(1, 1));
  expect(coverage.counts()).toEqual({ lines: 4, coveredLines: 4, branches: 1, coveredBranches: 1 });
});

test('a module that no process loaded is not covered', () => {
  expect(createFileCoverage(SOURCE).counts()).toMatchObject({ lines: 4, coveredLines: 0 });
});
