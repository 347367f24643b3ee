import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { createGrantBook, noMaps } from '@drawbridge/runtime';
import { launchBrowser } from '@drawbridge/runtime/cdp';
import { serveSurfaces, surfaceScript } from '@drawbridge/runtime/node';
import { listenOnLoopback, pageChromiumPath, pageFaults, sampled } from '@drawbridge/testbed';
import { TIMEOUT, visit } from '@drawbridge/web/test/visit';
import { openWebHarness, type WebHarness } from '@drawbridge/web/test/web-harness';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idOf } from './mcp-client.ts';

const CHECKOUT = `<title>Checkout</title><h1>Your order</h1><p>2 × Arc lamp</p>
  <form method="post" action="/paid"><label>Quantity <input name="quantity" value="1"></label>
  <p>Total 102.90 €</p><button>Pay 102.90 €</button></form>`;
const PAID = '<title>Thank you</title><p role="status">Thank you! Your order is LO-1001.</p>';

const shop = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(request.method === 'POST' ? PAID : CHECKOUT);
});
let harness: WebHarness;
const opened = new AsyncDisposableStack();
let agent: Client;
let url: string;

beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnLoopback(shop)}/`;
  harness = await openWebHarness();
  const { bridge, asker, devices } = harness.relay;
  const browser = await launchBrowser({
    ...{ executable: pageChromiumPath(), headless: true, args: [] },
    script: async () => (await surfaceScript()).code,
    localNetwork: { isOpen: () => true, open: () => {}, notePrivate: () => {} },
  });
  opened.defer(() => browser.close());
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  opened.defer(() => evaluator.close());
  const surfaces = serveSurfaces({
    source: browser,
    connect: (receive) => {
      const connection = bridge.connectRuntime({ send: receive });
      return { send: connection.receive, close: connection.close };
    },
    grants: createGrantBook({ now: Date.now, newId: randomUUID }),
    ...{ maps: noMaps, evaluator, asker, by: 'the test' },
  });
  opened.defer(() => surfaces.close());
  const { token } = await devices.mint({ roles: ['agent'], label: 'my-buyer', by: 'machine' });
  agent = new Client(
    { name: 'my-buyer', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${harness.relay.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
});
afterAll(async () => {
  await agent?.close();
  await opened.disposeAsync();
  await harness.close();
  shop.closeAllConnections();
  shop.close();
});

const say = async (name: string, args: Record<string, unknown>) => {
  const { content } = await agent.callTool({ name, arguments: args }, { timeout: 120_000 });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
};

for (const size of sampled(['phone', 'desk'] as const, 2)) {
  test(`[BRG-195] a decision shows what the relay knows, and afterwards what came of it, at ${size} size`, async () => {
    await say('tabs', { do: 'navigate', url });
    const look = await say('snapshot', { fresh: true });
    await say('act', { steps: [{ do: 'fill', id: idOf(look, 'inp Quantity'), value: '2' }] });
    const { page } = await visit(harness, { size });
    const paying = say('act', { steps: [{ do: 'click', id: idOf(look, 'btn Pay') }] });
    await page.getByRole('region', { name: 'Needs you' }).getByText('Press “Pay 102.90 €”').click();
    const card = page.getByRole('region', { name: 'Needs your decision' });
    await card.getByText('my-buyer asks:').waitFor();
    await card.getByText('Filled in “Quantity”').waitFor();
    await card.getByText('Total 102.90 €').waitFor();
    await card.getByText('Checkout', { exact: true }).waitFor();
    await card.getByText('Quantity: 2').waitFor();
    await card.getByRole('img', { name: 'The page as it looks now' }).waitFor(TIMEOUT);
    const frame = await card.getByTestId('framed').boundingBox();
    expect(frame?.width).toBeGreaterThan(10);
    expect(await pageFaults(page)).toEqual([]);
    await card.getByRole('button', { name: 'Allow once' }).and(page.locator('[data-armed=true]')).click();
    await page
      .getByText(/^Done: Pressed “Pay 102.90 €”\. The page says: .*LO-1001/)
      .last()
      .waitFor(TIMEOUT);
    expect(await paying).toContain('LO-1001');
  });
}
