import { singleMap } from '@drawbridge/runtime';
import { expect, test, vi } from 'vitest';
import { startBrowserHarness } from './browser-harness.ts';
import { startSite } from './site.ts';

const SITE = { '/': '<title>Shelf</title><h1>Shelf</h1>' };
const MAP = {
  protocol: 'actions.json',
  version: 1,
  tools: [
    {
      name: 'shelf.look',
      description: 'Looks at the shelf.',
      input_schema: { type: 'object' },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [{ id: 'look', primitive: 'page.info', args: {} }],
      },
      x_actions: { effect: 'read' },
    },
  ],
};

test('a tool of the previous page cannot be called on the next, even before its map is known', async () => {
  await using site = await startSite(SITE);
  await using harness = await startBrowserHarness({
    maps: singleMap({ ...MAP, surface: { origin: site.url } }),
  });
  await harness.goto(`${site.url}/`);
  expect(await harness.call('shelf.look')).toBeDefined();
  await harness.call('browser.navigate', { url: `${site.otherUrl}/` });
  await expect(harness.call('shelf.look')).rejects.toMatchObject({ code: 'unknown_action' });
});

test('each of two tabs at one address closes itself', async () => {
  await using site = await startSite(SITE);
  await using harness = await startBrowserHarness();
  await harness.goto(`${site.url}/`);
  const [first] = harness.bridge.runtimes();
  await harness.call('browser.open_tab', { url: `${site.url}/` });
  await vi.waitUntil(
    () => harness.bridge.runtimes().filter(({ ready }) => ready.url === `${site.url}/`).length === 2,
  );
  const second = harness.bridge.runtimes().find(({ runtime_id }) => runtime_id !== first?.runtime_id);
  await harness.call('browser.close_tab', {}, { runtime_id: second?.runtime_id ?? '' });
  await vi.waitUntil(() => harness.bridge.runtimes().length === 1);
  expect(harness.bridge.runtimes()[0]?.runtime_id).toBe(first?.runtime_id);
});
