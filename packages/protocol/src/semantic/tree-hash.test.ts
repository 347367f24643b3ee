import fc from 'fast-check';
import { expect, test } from 'vitest';
import { treeOfNodes } from '../../test/semantic/tree.ts';
import { canonicalNode, hashTree } from './tree-hash.ts';

test('[INT-239] the hash of a tree is the same in every run', () => {
  expect(hashTree([{ i: '7', r: 'btn', n: 'Buy', xy: [1, 2] }])).toBe('b00ae4c93f479f85');
});

test('[INT-237] the order of fields does not matter', () => {
  expect(hashTree([{ i: '7', r: 'btn', n: 'Buy' }])).toBe(hashTree([{ n: 'Buy', r: 'btn', i: '7' }]));
});

test('[INT-239] different trees have different hashes', () => {
  fc.assert(
    fc.property(treeOfNodes, treeOfNodes, (one, other) => {
      const same = one.map(canonicalNode).join() === other.map(canonicalNode).join();
      expect(hashTree(one) === hashTree(other)).toBe(same);
    }),
  );
});
