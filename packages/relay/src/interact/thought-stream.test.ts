import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { coreClock } from '../../test/server/test-relay.ts';
import { createThoughtStream } from './thought-stream.ts';

test('sends a growing thought at most four times a second, and nothing after its end', () => {
  const clock = createFakeClock(0);
  const delivered: string[] = [];
  const teller = createThoughtStream(coreClock(clock), 250, (thought) => delivered.push(thought));
  for (const thought of ['', 'I', 'I look', 'I look at']) teller.push(thought);
  expect(delivered).toEqual(['I']);
  clock.advance(250);
  expect(delivered).toEqual(['I', 'I look at']);
  clock.advance(250);
  teller.push('I look at the cart');
  expect(delivered).toEqual(['I', 'I look at', 'I look at the cart']);
  teller.push('I look at the cart.');
  teller.close();
  teller.push('And more.');
  clock.advance(1_000);
  expect(delivered).toHaveLength(3);
});
