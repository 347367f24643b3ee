import { createBridge } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { expect, test } from 'vitest';
import { createBrowserSupply } from './browser-supply.ts';

/** Fake browsers with one tab each, closed by the test. */
function browsers() {
  const open: { readonly end: () => void; readonly closed: () => number }[] = [];
  const supply = createBrowserSupply(async () => {
    const bridge = createBridge({ clock: systemClock, ids: () => 'id' });
    const number = open.length + 1;
    const tab = bridge.connectRuntime({ send: () => {} });
    tab.receive({ type: 'runtime_ready', runtime_id: `r${number}`, url: 'https://shop.example/' });
    let closed = 0;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    open.push({ end, closed: () => closed });
    return {
      bridge,
      over,
      close: async () => {
        closed += 1;
        bridge.close();
      },
    };
  });
  return { supply, open };
}

const ids = ({ supply }: ReturnType<typeof browsers>) =>
  supply.bridge.runtimes().map(({ runtime_id }) => runtime_id);

test('opens one browser on the first request, shared by all waiters', async () => {
  const harness = browsers();
  expect(harness.open).toHaveLength(0);
  await expect(harness.supply.bridge.call({ name: 'page.info', arguments: {} }).output).rejects.toMatchObject(
    {
      code: 'runtime_not_found',
    },
  );
  await Promise.all([harness.supply.ready(), harness.supply.ready()]);
  expect(harness.open).toHaveLength(1);
  expect(ids(harness)).toEqual(['r1']);
});

test('reports tabs that go with one browser and come with the next', async () => {
  const harness = browsers();
  const received: string[] = [];
  harness.supply.bridge.watch((event) => {
    if (event.kind === 'runtime') received.push(`+${event.runtime.runtime_id}`);
    if (event.kind === 'gone') received.push(`-${event.runtime_id}`);
  });
  await harness.supply.ready();
  harness.open[0]?.end();
  await expect.poll(() => harness.open[0]?.closed()).toBe(1);
  expect(ids(harness)).toEqual([]);
  await harness.supply.ready();
  expect(received).toEqual(['+r1', '-r1', '+r2']);
});

test('closes the open browser once, and opens no other', async () => {
  const harness = browsers();
  await harness.supply.ready();
  await Promise.all([harness.supply.close(), harness.supply.close()]);
  harness.open[0]?.end();
  expect(ids(harness)).toEqual([]);
  await expect(harness.supply.ready()).rejects.toMatchObject({ code: 'transport_failed' });
  expect(harness.open).toHaveLength(1);
});

test('reports a failure to the agent, and tries again on the next call', async () => {
  let attempts = 0;
  const supply = createBrowserSupply(async () => {
    attempts += 1;
    throw new Error('No tab has "shop" in its title.');
  });
  for (const _ of [1, 2]) {
    await expect(supply.ready()).rejects.toMatchObject({
      code: 'capability_unavailable',
      message: 'No tab has "shop" in its title.',
    });
  }
  expect(attempts).toBe(2);
});
