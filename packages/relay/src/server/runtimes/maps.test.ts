import { expect, test } from 'vitest';
import { lendTab } from '../../../test/server/runtimes/watched-tab.ts';
import { call } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay } from '../../../test/server/test-relay.ts';

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

test('people see the maps of their tabs, and which applies where', async () => {
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
    ...{ states: ['cart_open'], runtimes: ['one', 'two'], last_check: null },
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

const CHECKED = {
  ...MAP,
  tools: [
    {
      name: 'cart.add',
      description: 'Adds.',
      input_schema: { type: 'object' },
      x_actions: { handler: 'add' },
    },
  ],
  states: [],
  checks: [{ id: 'buys', description: 'One can buy.', assertions: [{ target: { selector: '#buy' } }] }],
};

test('checks a map against the page in a tab, and lists the last result with the map', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const tab = lendTab(relay, 'one', { manifest: CHECKED });
  tab.answerWith({ output: { candidate_count: 1, visible: true, selector: '#buy', used_fallback: false } });
  const check = async () => (await call(relay, person, 'POST /api/runtimes/one/check')).body;
  expect(await check()).toMatchObject({ ok: true, checks: [{ id: 'buys', status: 'pass', why: null }] });
  expect(tab.calls.at(-1)).toMatchObject({
    name: 'locator.element_info',
    arguments: { locator: { selector: '#buy' }, auto_scroll: false },
  });

  tab.answerWith({ error: { code: 'target_not_found', message: 'Nothing fits.' } });
  const drifted = await check();
  expect(drifted).toMatchObject({ ok: false, checks: [{ id: 'buys', status: 'fail' }] });
  const { maps } = (await call(relay, person, 'GET /api/maps')).body;
  expect(maps).toMatchObject([{ name: 'Shop', last_check: drifted }]);

  lendTab(relay, 'odd', { manifest: { tools: 7 } });
  expect((await call(relay, person, 'POST /api/runtimes/odd/check')).body).toMatchObject({
    ok: false,
    problem: expect.stringContaining('not valid'),
  });
  expect((await call(relay, person, 'POST /api/runtimes/none/check')).status).toBe(404);
  expect((await call(relay, await relay.mint('agent'), 'POST /api/runtimes/one/check')).status).toBe(403);
});
