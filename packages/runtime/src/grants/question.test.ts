import { expect, test } from 'vitest';
import { dataOf } from './question.ts';

const secret = { submits: true, sensitive: true, secret: true };

test('[BRG-128] a question does not spell what is written into a secret field', () => {
  expect(dataOf({ id: '1', text: 'hunter2' }, secret)).toEqual(['id: 1', 'text: •••']);
  expect(dataOf({ keys: ['h', 'u', 'Enter'] }, secret)).toEqual([
    'keys.0: •••',
    'keys.1: •••',
    'keys.2: Enter',
  ]);
  expect(dataOf({ keys: 'h', text: 'x' }, { ...secret, secret: false })).toEqual(['keys: h', 'text: x']);
});
