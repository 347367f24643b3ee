import type { Hop } from '@drawbridge/protocol/catalog';
import { expect, test } from 'vitest';
import { routeInWords } from './route.ts';

const ROUTES: readonly (readonly [string, readonly Hop[]])[] = [
  ['browser → relay', [['browser', 'relay']]],
  [
    'browser → relay → proxy',
    [
      ['browser', 'relay'],
      ['relay', 'proxy'],
    ],
  ],
  [
    'browser → relay, proxy → relay',
    [
      ['browser', 'relay'],
      ['proxy', 'relay'],
    ],
  ],
  [
    'client ↔ relay',
    [
      ['client', 'relay'],
      ['relay', 'client'],
    ],
  ],
];

test.each(ROUTES)('%s', (words, route) => {
  expect(routeInWords(route)).toBe(words);
});
