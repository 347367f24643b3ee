import { expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';

declare global {
  var left: WeakRef<object>[];
}

/** How many of the `left` objects are still in memory. */
async function stillThere(actions: Awaited<ReturnType<typeof actionsOn>>): Promise<number> {
  const session = await actions.page.context().newCDPSession(actions.page);
  await session.send('HeapProfiler.collectGarbage');
  return actions.run(() => left.filter((each) => each.deref() !== undefined).length);
}

test('keeps no shadow root in memory that the page has removed', async () => {
  await using actions = await actionsOn('<main></main>');
  await actions.run(async () => {
    globalThis.left = [];
    for (let round = 0; round < 200; round++) {
      const host = document.createElement('x-card');
      host.attachShadow({ mode: 'open' }).innerHTML = '<button>Buy</button>';
      document.querySelector('main')?.append(host);
      // Mutations are delivered in between.
      await Promise.resolve();
      left.push(new WeakRef(host));
      host.remove();
    }
  });
  await actions.see();
  // At most as many as are tolerated before the removed ones are looked for.
  expect(await stillThere(actions)).toBeLessThan(70);
});
