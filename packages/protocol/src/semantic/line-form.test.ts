import fc from 'fast-check';
import { expect, test } from 'vitest';
import { treeOfNodes } from '../../test/semantic/tree.ts';
import type { SemanticNode } from '../interact/semantic-tree.ts';
import { visibleJson } from '../wire/visible-text.ts';
import { formatLines, parseLines } from './line-form.ts';

const line = (node: Omit<SemanticNode, 'i'>) => formatLines([{ i: '7', ...node }]);

test.each<[string, Omit<SemanticNode, 'i'>]>([
  ['7 link Gmail @900,20', { r: 'link', n: 'Gmail', xy: [900, 20] }],
  ['7 inp Search =SpaceX @400,300', { r: 'inp', n: 'Search', v: 'SpaceX', xy: [400, 300] }],
  ['7 inp Name ="John Doe"', { r: 'inp', n: 'Name', v: 'John Doe' }],
  ['7 chk News [checked,disabled]', { r: 'chk', n: 'News', s: 'checked,disabled' }],
  ['7 btn Place order @600,700 !', { r: 'btn', n: 'Place order', xy: [600, 700], occ: true }],
  ['7 region Stock ~10%+', { r: 'region', n: 'Stock', scr: { depth: '10%', h: true } }],
  ['7 btn #1,2,3,4', { r: 'btn', n: '', box: [1, 2, 3, 4] }],
  ['7 btn "=1 @2"', { r: 'btn', n: '=1 @2' }],
  ['7 btn "two\\nlines"', { r: 'btn', n: 'two\nlines' }],
  ['7 btn Send ^3', { r: 'btn', n: 'Send', f: 3 }],
])('%s', (expected, node) => {
  expect(line(node)).toBe(expected);
});

test('an id with its frame has no extra frame mark', () => {
  expect(formatLines([{ i: 'f2_7', r: 'btn', n: 'Pay', f: 2 }])).toBe('f2_7 btn Pay');
});

test('lines parse back to the same tree, for visible text', () => {
  const visible = ({ i, ...node }: SemanticNode): unknown => ({ ...JSON.parse(visibleJson(node)), i });
  fc.assert(
    fc.property(treeOfNodes, (nodes) => {
      expect(parseLines(formatLines(nodes)).nodes).toEqual(nodes.map(visible));
    }),
    { numRuns: 2000 },
  );
});

test('headings and text are in page order and are no nodes', () => {
  const nodes = [{ i: '1', r: 'btn', n: 'Buy' }];
  const context = [
    { kind: 'heading' as const, text: 'Lamps', at: 0 },
    { kind: 'text' as const, text: 'Ships today.', at: 1 },
  ];
  const text = formatLines(nodes, context);
  expect(text).toBe('# Lamps\n1 btn Buy\n> Ships today.');
  expect(parseLines(text)).toEqual({ nodes, context });
});
