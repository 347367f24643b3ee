import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mode } from '../../build/index.ts';
import { type ExtensionHarness, startExtensionHarness } from '../../test/extension-harness.ts';
import { type BridgeHarness, startBridgeHarness } from '../../test/tabs/bridge-harness.ts';

/** One tool of its site, and an import from the network. */
const MAP = {
  protocol: 'actions.json',
  version: 1,
  imports: [{ id: 'more', kind: 'public', uri: 'https://elsewhere.example/actions.json' }],
  tools: [
    {
      name: 'shop.where',
      description: 'Where the page is.',
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
const deny = {
  ask: async ({ call_hash }: { call_hash: string }) => ({ decision: 'deny' as const, call_hash, by: 'test' }),
};

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
}, 300_000);
afterAll(() => shop?.close());

interface Lent {
  readonly rig: ExtensionHarness;
  readonly stand: BridgeHarness;
  readonly call: (name: string) => Promise<unknown>;
}

/** The shop's tab, lent by the toolbar button to a bridge with a map for it. */
async function lent(mode: Mode, work: (lent: Lent) => Promise<void>): Promise<void> {
  await using harness = await startExtensionHarness({ mode });
  await using bridgeHarness = await startBridgeHarness(deny, MAP);
  await bridgeHarness.pair(harness);
  await harness.press(await harness.open(shop.url));
  await expect.poll(() => bridgeHarness.bridge.runtimes().length, { timeout: 30_000 }).toBe(1);
  const call = (name: string) => bridgeHarness.bridge.call({ name, arguments: {} }).output;
  await work({ rig: harness, stand: bridgeHarness, call });
}

test('the store build requests no map, accepts none, and acts by primitives alone', async () => {
  await lent('store', async ({ rig, stand, call }) => {
    expect(await call('page.info')).toMatchObject({ url: `${shop.url}/` });
    await expect(call('shop.where')).rejects.toMatchObject({ code: 'unknown_action' });
    expect(stand.mapsAsked()).toBe(0);
    const [tab] = (await rig.state()).tabs;
    await expect(rig.ask({ do: 'lend', tabId: tab?.tabId ?? 0, trusted: true })).rejects.toThrow(
      'has no real mouse and keyboard',
    );
  });
});

test("other builds accept the relay's map", async () => {
  await lent('test', async ({ stand, call }) => {
    const where = { steps: { look: { output: { url: `${shop.url}/` } } } };
    expect(await call('shop.where')).toMatchObject(where);
    expect(stand.mapsAsked()).toBeGreaterThan(0);
  });
});
