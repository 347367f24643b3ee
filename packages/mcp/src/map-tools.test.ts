import { createGate } from '@drawbridge/testbed';
import { describe, expect, test } from 'vitest';
import { callForText, connectClient, ERAS, lendTab, startBridge } from '../test/mcp-harness.ts';
import { mcpName } from './map-tools.ts';
import { handlesListChanges } from './mcp-connection.ts';

const CART_ADD = {
  name: 'cart.add',
  description: 'Puts a product into the cart.',
  input_schema: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
  x_actions: { effect: 'act' },
};

const map = (...tools: object[]) => ({ protocol: 'actions.json', version: 1, tools });

describe.each(ERAS)('over MCP %s', (era) => {
  test('offers tools of maps as typed tools to clients that support a changing list', async () => {
    const bridge = startBridge();
    const tab = lendTab(
      bridge,
      { 'cart.add': ({ product }) => ({ added: product }) },
      {
        manifest: map(CART_ADD, {
          ...CART_ADD,
          name: 'cart.seen',
          x_actions: { direction: 'html_to_agent' },
        }),
      },
    );
    const client = await connectClient(bridge, { era, offersMapTools: () => true, nonce: () => 'mark' });
    const { tools } = await client.listTools();
    expect(tools.slice(8)).toEqual([
      {
        name: 'site_cart__add',
        description: 'https://shop.example: Puts a product into the cart.',
        inputSchema: {
          type: 'object',
          properties: { product: { type: 'string' }, tab: { type: 'string' } },
          required: ['product'],
        },
        annotations: {
          readOnlyHint: false,
          destructiveHint: false,
        },
      },
    ]);
    const { text } = await callForText(client, 'site_cart__add', { product: 'lamp', tab: 'r1' });
    expect(text).toBe('<page https://shop.example mark>\n{"added":"lamp"}\n</page mark>');
    expect(tab.calls[0]).toMatchObject({ name: 'cart.add', arguments: { product: 'lamp' } });
    expect((await callForText(client, 'site_cart__add', {})).text).toMatch(/^invalid_input/);
  });

  test('notifies a client when runtimes add, change and remove tools', async () => {
    const bridge = startBridge();
    const received: string[][] = [];
    let next = createGate();
    await connectClient(bridge, {
      era,
      offersMapTools: () => true,
      client: {
        listChanged: {
          tools: {
            debounceMs: 0,
            onChanged: (_error, tools) => {
              received.push((tools ?? []).slice(8).map(({ name }) => name));
              next.open();
            },
          },
        },
      },
    });
    const delivered = async () => {
      await next.passed();
      next = createGate();
    };
    const tab = lendTab(bridge, { 'cart.add': () => null }, { manifest: map(CART_ADD) });
    await delivered();
    tab.announce({ title: 'the same tools' });
    tab.announce({ manifest: map(CART_ADD, { ...CART_ADD, name: 'cart.empty' }) });
    await delivered();
    tab.close();
    await delivered();
    expect(received).toEqual([['site_cart__add'], ['site_cart__add', 'site_cart__empty'], []]);
  });

  test('notifies a subscribed client of changed tabs', async () => {
    const bridge = startBridge();
    const client = await connectClient(bridge, { era });
    const uris: string[] = [];
    const received = createGate();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      uris.push(params.uri);
      received.open();
    });
    if (era === '2025-11-25') await client.subscribeResource({ uri: 'drawbridge://runtimes' });
    else await client.listen({ resourceSubscriptions: ['drawbridge://runtimes'] });
    lendTab(bridge);
    await received.passed();
    expect(uris).toEqual(['drawbridge://runtimes']);
  });
});

describe('names', () => {
  test.each([
    ['cart.add', 'site_cart__add'],
    ['read', 'site_read'],
    ['chat.set-model', 'site_chat__set-model'],
  ])('%s is offered as %s', (name, offered) => {
    expect(mcpName(name)).toBe(offered);
  });

  test('are unique and valid', () => {
    const names = ['a.b', 'a__b', 'a_b', 'a-b', 'a._b', 'a_.b', `${'x'.repeat(80)}.a`, `${'x'.repeat(80)}.b`];
    const offered = names.map(mcpName);
    expect(new Set(offered).size).toBe(names.length);
    for (const name of offered) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});

test("keeps a tool's `tab` argument", async () => {
  const bridge = startBridge();
  const tab = lendTab(
    bridge,
    { 'view.show': () => 'ok' },
    {
      manifest: map({
        name: 'view.show',
        description: '',
        input_schema: { properties: { tab: { type: 'string' } } },
      }),
    },
  );
  const client = await connectClient(bridge, { offersMapTools: () => true });
  await callForText(client, 'site_view__show', { tab: 'second', _tab: 'r1' });
  expect(tab.calls[0]?.arguments).toEqual({ tab: 'second' });
});

test('recognizes clients that support a changing list', () => {
  expect(handlesListChanges({ name: 'claude-code', version: '2' })).toBe(true);
  expect(handlesListChanges({ name: 'some-client', version: '1' })).toBe(false);
  expect(handlesListChanges(undefined)).toBe(false);
});
