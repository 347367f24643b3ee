import { expect, test } from 'vitest';
import { createLane } from './lanes.ts';

test('starts at once when the queue is empty; otherwise waits for the previous work, even if it fails', async () => {
  const inTurn = createLane();
  const said: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, until: Promise<void>) =>
    inTurn(async () => {
      said.push(`${name} begins`);
      await until;
      said.push(`${name} ends`);
    });
  const failing = work('first', first.promise);
  const second = work('second', Promise.resolve());
  expect(said).toEqual(['first begins']);
  first.reject(new Error('It went wrong.'));
  await expect(failing).rejects.toThrow('It went wrong.');
  await second;
  expect(said).toEqual(['first begins', 'second begins', 'second ends']);
  void work('third', Promise.resolve());
  expect(said.at(-1)).toBe('third begins');
});
