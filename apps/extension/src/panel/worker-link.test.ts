import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { STATE } from '../../test/panel/stand-in/states.ts';
import type { PanelMessage } from '../wire.ts';
import { createWorkerLink, WorkerGone, type WorkerPort } from './worker-link.ts';

/** A scripted worker. */
function setUp() {
  const clock = createFakeClock();
  const posted: unknown[] = [];
  const ports: { readonly say: (message: PanelMessage) => void; readonly drop: () => void }[] = [];
  let isGone = false;
  let ids = 0;
  const link = createWorkerLink({
    connect(): WorkerPort {
      if (isGone) throw new Error('Extension context invalidated.');
      const received: ((message: PanelMessage) => void)[] = [];
      const dropped: (() => void)[] = [];
      ports.push({
        say: (message) => received.forEach((hear) => void hear(message)),
        drop: () => dropped.forEach((drop) => void drop()),
      });
      return {
        postMessage: (message) => void posted.push(message),
        onMessage: { addListener: (listener) => void received.push(listener) },
        onDisconnect: { addListener: (listener) => void dropped.push(listener) },
        disconnect: () => {},
      };
    },
    newId: () => `id${++ids}`,
    after(ms, run) {
      const timer = clock.setTimeout(run, ms);
      return () => clock.clearTimeout(timer);
    },
  });
  const leave = (): void => {
    isGone = true;
  };
  return { link, clock, posted, ports, leave };
}

test('connects, shows the state, and answers each command by its id', async () => {
  const { link, posted, ports } = setUp();
  expect(link.get()).toEqual({ link: 'connecting' });
  ports[0]?.say({ kind: 'state', state: STATE });
  expect(link.get()).toEqual({ link: 'up', state: STATE });
  const [first, second] = [link.ask({ do: 'release', tabId: 1 }), link.ask({ do: 'unpair' })];
  expect(posted).toEqual([
    { id: 'id1', command: { do: 'release', tabId: 1 } },
    { id: 'id2', command: { do: 'unpair' } },
  ]);
  ports[0]?.say({ kind: 'answer', id: 'id2', ok: false, message: 'No.' });
  ports[0]?.say({ kind: 'answer', id: 'id1', ok: true });
  await expect(second).rejects.toThrow('No.');
  await expect(first).resolves.toBeUndefined();
});

test('reconnects to a stopped worker with backoff; sends nothing twice', async () => {
  const { link, clock, posted, ports } = setUp();
  ports[0]?.say({ kind: 'state', state: STATE });
  const asked = link.ask({ do: 'unpair' });
  ports[0]?.drop();
  await expect(asked).rejects.toThrow(WorkerGone);
  expect(link.get()).toEqual({ link: 'lost', state: STATE });
  await expect(link.ask({ do: 'unpair' })).rejects.toThrow(WorkerGone);
  clock.advance(50);
  expect(ports).toHaveLength(2);
  ports[1]?.drop();
  clock.advance(50);
  expect(ports).toHaveLength(2);
  clock.advance(50);
  expect(ports).toHaveLength(3);
  ports[2]?.say({ kind: 'state', state: STATE });
  expect(link.get().link).toBe('up');
  // A closed port sends nothing any more.
  ports[0]?.drop();
  expect(link.get().link).toBe('up');
  expect(posted).toHaveLength(1);
});

test('retries a missing extension, but not after close', () => {
  const { link, clock, ports, leave } = setUp();
  leave();
  ports[0]?.drop();
  clock.advance(60_000);
  expect(link.get().link).toBe('lost');
  link.close();
  link.close();
  clock.advance(60_000);
  expect(ports).toHaveLength(1);
});
