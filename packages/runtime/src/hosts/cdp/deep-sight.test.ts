import { expect, test } from 'vitest';
import { Connection } from './connection.ts';
import { createDeepSight } from './deep-sight.ts';

/** A browser that refuses every command. */
function refusing(onCommand: () => void = () => {}) {
  let answer: (text: string) => void = () => {};
  const connection = new Connection({
    listen: (onText) => {
      answer = onText;
    },
    flush: () => {},
    send: (text) => {
      onCommand();
      const { id, sessionId }: { id: number; sessionId: string } = JSON.parse(text);
      queueMicrotask(() => answer(JSON.stringify({ id, sessionId, error: { code: 1, message: 'No.' } })));
    },
    close: () => {},
  });
  return { session: connection.session('tab'), uniqueId: 'world', contextId: 1 };
}

test('a debugger that refuses keeps no snapshot from being taken, and is counted', async () => {
  // A clock that stands still: on a busy machine the first look would count as dear, and the second be spared.
  const sight = createDeepSight(() => 0);
  const world = refusing();
  await sight.look(world);
  await sight.look(world);
  expect(sight.figures()).toMatchObject({
    passes: 2,
    failures: 2,
    listeners: 0,
    lastError: 'No.',
  });
});

test('a page on which looking takes long is spared until something is done there', async () => {
  let time = 0;
  const sight = createDeepSight(() => time);
  const world = refusing(() => {
    time += 20;
  });
  await sight.look(world);
  await sight.look(world);
  expect(sight.figures()).toMatchObject({ passes: 1, spared: 1 });
  sight.stir();
  await sight.look(world);
  expect(sight.figures()).toMatchObject({ passes: 2, spared: 1 });
  time += 10_000;
  await sight.look(world);
  expect(sight.figures()).toMatchObject({ passes: 3, spared: 1 });
});
