import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { singleMap } from '@drawbridge/runtime';
import { type Shop, startShop } from '@drawbridge/testbed';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type ExtensionHarness,
  type Page,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '../test/extension-harness.ts';

const CARD = { number: '5555 5555 5555 4444', expiry: '08/30', code: '7391' };
const MAP = join(import.meta.dirname, '../../../maps/shop/actions.json');

let shop: Shop;
let paired: PairedRelay;
let harness: ExtensionHarness;

beforeAll(async () => {
  shop = await startShop();
  const map: object = JSON.parse(readFileSync(MAP, 'utf8'));
  const maps = singleMap({ ...map, surface: { origin: shop.url, name: 'Lantern & Oak' } });
  [paired, harness] = await Promise.all([startPairRelay({ maps }), startExtensionHarness()]);
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
  await harness.openAddresses(shop.payUrl);
}, 300_000);
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await shop?.close();
});

/** The side panel in a separate window, as headless Chromium has no docked one. */
async function openPanel(tabId: number): Promise<Page> {
  const url = `chrome-extension://${harness.id}/sidepanel.html?tab=${tabId}`;
  const [panel] = await Promise.all([
    harness.context.waitForEvent('page'),
    harness.inExtension(async (to) => void (await chrome.windows.create({ url: to, type: 'popup' })), url),
  ]);
  return panel;
}

/** The official MCP client, connected to the relay. */
async function startAgent() {
  const { relay } = paired;
  const { token } = await relay.devices.mint({ roles: ['agent'], label: 'Agent', by: 'machine' });
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${relay.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const received: string[] = [];
  const say = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    received.push(text);
    return { text, isError: isError === true };
  };
  const site = async (action: string, args: Record<string, unknown> = {}): Promise<string> => {
    const { text, isError } = await say('site', { mode: 'call', action, arguments: args });
    expect({ action, failure: isError ? text : '' }).toEqual({ action, failure: '' });
    return text;
  };
  return { say, site, received };
}

/** Id of the node with this role and name in a snapshot. */
const idOf = (snapshot: string, node: string): string =>
  snapshot
    .split('\n')
    .find((line) => line.split(' ').slice(1).join(' ').startsWith(node))
    ?.split(' ')[0] ?? `no ${node}`;

test('[BRG-36] [BRG-126] [BRG-166] an agent buys in a person’s tab once, though the worker is stopped five times', async () => {
  const page = await harness.open(shop.url);
  await harness.press(page);
  await expect
    .poll(() => paired.relay.bridge.runtimes().map(({ ready }) => ready.manifest !== undefined))
    .toEqual([true]);
  const panel = await openPanel(await harness.tabIdOf(page));
  const decision = panel.getByRole('region', { name: 'Needs your decision' });
  const { say, site, received } = await startAgent();

  await site('search.open', { query: 'lamp' });
  await harness.killWorker();
  await site('product.open', { product: 'dusk-table-lamp' });
  await harness.killWorker();
  expect(await site('cart.add', { quantity: 2 })).toContain('"added":2');
  await site('cart.open');
  await harness.killWorker();
  await site('checkout.open');
  await site('checkout.deliver', {
    email: 'buyer@example.com',
    name: 'Demo Buyer',
    street: 'Harbour Street 1',
    postcode: '10115',
    city: 'Berlin',
    country: 'Germany',
  });
  const look = async (): Promise<string> => {
    let form = '';
    await expect
      .poll(async () => {
        form = (await say('snapshot', { fresh: true })).text;
        return form;
      })
      .toContain('btn Pay 102.90 €');
    return form;
  };
  const form = await look();
  const filled = await say('act', {
    steps: [
      { do: 'fill', id: idOf(form, 'inp Card number'), value: CARD.number },
      { do: 'fill', id: idOf(form, 'inp Expiry'), value: CARD.expiry },
      { do: 'fill', id: idOf(form, 'inp CVC'), value: CARD.code },
    ],
  });
  expect(filled).toMatchObject({ isError: false });
  await harness.killWorker();

  // Also during the prompt: the agent gets an unknown outcome, looks, and asks again.
  const pay = async () => say('act', { steps: [{ do: 'click', id: idOf(await look(), 'btn Pay') }] });
  const first = pay();
  await decision.getByText('Pay 102.90 €').first().waitFor();
  await harness.killWorker();
  expect(await first).toMatchObject({ isError: true, text: expect.stringMatching(/^transport_failed\n/) });
  expect(shop.orders()).toEqual([]);
  // The call has ended, and its prompt with it.
  await decision.waitFor({ state: 'detached' });
  const second = pay();
  await decision.getByText('Pay 102.90 €').first().waitFor();
  await decision.getByText(shop.payUrl, { exact: true }).first().waitFor();
  await panel.locator('[data-armed=true]').first().waitFor();
  await decision.getByRole('button', { name: 'Allow once' }).click();
  expect(await second).toMatchObject({ isError: false });
  await say('wait', { for: 'url', value: '/orders/' });

  expect(shop.orders()).toMatchObject([{ totalCents: 10_290, cardEnding: '4444' }]);
  const delivered = received.join('\n').replaceAll(/[\s-]/g, '');
  expect(delivered).not.toContain('5555555555554444');
  expect(delivered).not.toMatch(/(?<!\w)7391(?!\w)/);
});
