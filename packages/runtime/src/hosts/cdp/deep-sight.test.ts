import { expect, test } from 'vitest';
import type { Session } from './connection.ts';
import { createDeepSight } from './deep-sight.ts';
import { CdpError } from './message.ts';

/** A browser that refuses every command, after as long as it is told. */
function refusing(onSend: () => void = () => {}) {
  const session: Session = {
    id: 'session',
    on: () => () => {},
    send: (method) => {
      onSend();
      return Promise.reject(new CdpError(method, 'It is not to be had.'));
    },
  };
  return { session, uniqueId: 'world', contextId: 1 };
}

test('a debugger that refuses keeps no snapshot from being taken, and is counted', async () => {
  const sight = createDeepSight();
  const world = refusing();
  await sight.look(world);
  await sight.look(world);
  expect(sight.figures()).toMatchObject({ passes: 2, failures: 2, listeners: 0, lastError: 'It is not to be had.' });
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
