import { expect, test } from 'vitest';
import { spentOf } from './spent-words.ts';

const budget = { steps: 50, tokens: 500_000 };

test.each([
  [{ steps: 1 }, '1 step'],
  [{ steps: 0, budget }, '0 of 50 steps'],
  [{ steps: 1, budget: { steps: 1, tokens: 1 } }, '1 of 1 step'],
  [
    { steps: 5, usage: { steps: 6, tokens: 9_800 }, budget },
    '6 of 50 steps, 9.8 k of 500 k tokens, cost unknown',
  ],
  [
    { steps: 5, usage: { steps: 6, tokens: 999_960, cost: 0.0213 }, budget: { ...budget, cost: 1 } },
    '6 of 50 steps, 1 M of 500 k tokens, $0.0213 of $1.00',
  ],
  [{ steps: 2, usage: { steps: 2, tokens: 950, cost: 1.239 } }, '2 steps, 950 tokens, $1.24'],
])('%j', (task, words) => {
  expect(spentOf(task).join(', ')).toBe(words);
});
