import { CATALOG, NOTES } from '@drawbridge/protocol/catalog';
import { MATRIX_ROLES, MATRIX_TYPES, SENDERS } from '@drawbridge/relay/test/contract/matrix-cells';
import { expect, test } from 'vitest';
import { generateChatMatrix } from './chat-matrix.ts';

test('every chat frame has a row', () => {
  expect(MATRIX_TYPES.toSorted()).toEqual(Object.keys(CATALOG.chat).toSorted());
});

test.each(MATRIX_TYPES)('%s comes from where the reference says', (type) => {
  const senders = NOTES.chat[type].route.filter(([, to]) => to === 'relay').map(([from]) => from);
  const expected = { browser: ['browser'], proxy: ['proxy'], both: ['browser', 'proxy'], relay: [] };
  expect(senders).toEqual(expected[SENDERS[type]]);
});

test('the page has a mark for every cell', () => {
  const rows = generateChatMatrix()
    .text.split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.map((row) => row.split(' | ').length - 1)).toEqual(MATRIX_TYPES.map(() => MATRIX_ROLES.length));
});
