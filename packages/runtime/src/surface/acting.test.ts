import { expect, test } from 'vitest';
import { createActing } from './acting.ts';

test('runs an act after the one before it, even if that fails', async () => {
  const { inTurn } = createActing(Date.now);
  const sent: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, until: Promise<void>) =>
    inTurn(async () => {
      sent.push(`${name} begins`);
      await until;
      sent.push(`${name} ends`);
    });
  const failing = work('first', first.promise);
  const second = work('second', Promise.resolve());
  first.reject(new Error('It went wrong.'));
  await expect(failing).rejects.toThrow('It went wrong.');
  await second;
  expect(sent).toEqual(['first begins', 'second begins', 'second ends']);
});
