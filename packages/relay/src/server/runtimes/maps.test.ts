import { expect, test } from 'vitest';
import { call } from '../keeping/keeping.suite.ts';
import { startTestRelay } from '../server.suite.ts';
import { lendTab } from './watched-tab.suite.ts';

const MAP = {
  ...{ protocol: 'actions.json', version: 1 },
  surface: { origin: 'https://shop.example', name: 'Shop', description: 'Lamps.' },
  tools: [
    { name: 'cart.add', description: 'Adds to the cart.', input_schema: {}, x_actions: { effect: 'act' } },
    { name: 'cart.pay', description: 'Pays.', input_schema: {}, x_actions: { effect: 'irreversible' } },
  ],
  states: [{ name: 'cart_open' }],
  checks: [{ id: 'price_is_read', description: 'The price is found.', severity: 'major' }],
};

test('people see the maps that their tabs work by, and which applies where', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  lendTab(relay, 'one', { manifest: MAP });
  lendTab(relay, 'two', { manifest: MAP });
  lendTab(relay, 'bare');
  lendTab(relay, 'odd', {
    manifest: { tools: [7, { name: 8 }, { name: 'x' }], surface: 'none', checks: {} },
  });
  const { status, body } = await call(relay, person, 'GET /api/maps');
  expect(status).toBe(200);
  const [shop, odd] = body.maps;
  expect(shop).toEqual({
    ...{ map_id: expect.any(String), name: 'Shop', version: 1, site: 'https://shop.example' },
    description: 'Lamps.',
    tools: [
      { name: 'cart.add', description: 'Adds to the cart.', effect: 'act' },
      { name: 'cart.pay', description: 'Pays.', effect: 'irreversible' },
    ],
    checks: MAP.checks,
    ...{ states: ['cart_open'], runtimes: ['one', 'two'] },
  });
  expect(odd).toMatchObject({
    ...{ name: 'https://shop.example/', version: null, site: null, runtimes: ['odd'], checks: [] },
    tools: [{ name: 'x', description: '', effect: null }],
  });
  expect(body.runtimes).toEqual([
    { runtime_id: 'one', title: 'Shop', url: 'https://shop.example/', map_id: shop.map_id },
    expect.objectContaining({ runtime_id: 'two', map_id: shop.map_id }),
    expect.objectContaining({ runtime_id: 'bare', map_id: null }),
    expect.objectContaining({ runtime_id: 'odd', map_id: odd.map_id }),
  ]);
  expect(await call(relay, await relay.mint('agent'), 'GET /api/maps')).toMatchObject({ status: 403 });
});
