import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { coreClock } from '../server/server.suite.ts';
import { createThoughtTeller } from './thought-teller.ts';

test('sends a growing thought at most four times a second, and nothing after its end', () => {
  const clock = createFakeClock(0);
  const told: string[] = [];
  const teller = createThoughtTeller(coreClock(clock), 250, (thought) => told.push(thought));
  for (const thought of ['', 'I', 'I look', 'I look at']) teller.hear(thought);
  expect(told).toEqual(['I']);
  clock.advance(250);
  expect(told).toEqual(['I', 'I look at']);
  clock.advance(250);
  teller.hear('I look at the cart');
  expect(told).toEqual(['I', 'I look at', 'I look at the cart']);
  teller.hear('I look at the cart.');
  teller.close();
  teller.hear('And more.');
  clock.advance(1_000);
  expect(told).toHaveLength(3);
});
