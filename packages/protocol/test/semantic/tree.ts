import fc from 'fast-check';
import type { SemanticNode } from '../../src/interact/semantic-tree.ts';

const coordinate = fc.oneof(
  fc.integer({ min: -5000, max: 50_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
);
const word = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    'Add to cart',
    ' a',
    'a ',
    'a  b',
    '@me',
    'a @b',
    '# 1',
    '"',
    '\\',
    '\n',
    ' ',
    '=',
    ']',
    'f2_1',
    '!',
    'x !',
    '^',
    '~5%+',
  ),
);
const name = word.filter((text) => text !== '');

/** Random trees of the contract, with many awkward texts. */
export const treeOfNodes: fc.Arbitrary<SemanticNode[]> = fc.uniqueArray(
  fc.record(
    {
      i: fc.oneof(fc.integer({ min: 1, max: 40 }).map(String), fc.constantFrom('f1_7', 'f2_9'), name),
      r: fc.oneof(fc.constantFrom('btn', 'link', 'inp'), name),
      n: word,
      v: word,
      s: word,
      xy: fc.tuple(coordinate, coordinate),
      box: fc.tuple(coordinate, coordinate, coordinate, coordinate),
      scr: fc.record({ depth: word, h: fc.boolean() }),
      occ: fc.boolean(),
      f: fc.nat({ max: 9 }),
    },
    { requiredKeys: ['i', 'r', 'n'] },
  ),
  { selector: (node) => node.i, maxLength: 12 },
);
