import { expect, test } from 'vitest';
import { createMutex } from './mutex.ts';

test('starts at once when nothing runs; otherwise waits for the previous work, even if it fails', async () => {
  const runExclusive = createMutex();
  const sent: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, until: Promise<void>) =>
    runExclusive(async () => {
      sent.push(`${name} begins`);
      await until;
      sent.push(`${name} ends`);
    });
  const failing = work('first', first.promise);
  const second = work('second', Promise.resolve());
  expect(sent).toEqual(['first begins']);
  first.reject(new Error('It went wrong.'));
  await expect(failing).rejects.toThrow('It went wrong.');
  await second;
  expect(sent).toEqual(['first begins', 'second begins', 'second ends']);
  void work('third', Promise.resolve());
  expect(sent.at(-1)).toBe('third begins');
});
