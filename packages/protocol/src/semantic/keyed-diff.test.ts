import fc from 'fast-check';
import { expect, test } from 'vitest';
import { treeOfNodes } from '../../test/semantic/tree.ts';
import { applyTreeDiff, diffTrees } from './keyed-diff.ts';
import { formatDiffLines } from './line-form.ts';

const button = (i: string, n = `Button ${i}`) => ({ i, r: 'btn', n });

test('[INT-241] applying the changes to the old tree gives the new one', () => {
  fc.assert(
    fc.property(treeOfNodes, treeOfNodes, fc.array(fc.nat({ max: 12 })), (before, others, order) => {
      const kept = order.flatMap((index) => before[index] ?? []);
      const after = [...new Map([...kept, ...others].map((node) => [node.i, node])).values()];
      expect(applyTreeDiff(before, diffTrees(before, after))).toEqual(after);
    }),
    { numRuns: 2000 },
  );
});

test('[INT-241] added, removed, changed and moved nodes are distinguished', () => {
  const before = [button('1'), button('2'), button('3'), button('4')];
  const after = [button('4'), button('1'), { ...button('2'), s: 'disabled' }, button('5')];
  expect(diffTrees(before, after)).toEqual({
    added: [{ node: button('5'), after: '2' }],
    removed: ['3'],
    changed: [{ i: '2', set: { s: 'disabled' } }],
    moved: [{ i: '4', after: null }],
  });
});

test('a diff is formatted as lines', () => {
  const before = [{ ...button('1'), s: 'checked' }, button('2')];
  const after = [button('1', 'Buy'), button('3')];
  expect(formatDiffLines(diffTrees(before, after))).toBe('-2\n+3 btn Button 3 <1\n~1 Buy -s');
});

test('equal trees have an empty diff', () => {
  expect(formatDiffLines(diffTrees([button('1')], [button('1')]))).toBe('');
});
