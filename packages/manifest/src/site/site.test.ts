import type { Manifest } from '@drawbridge/protocol/manifest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LAMP, MUG, openWindow, PRODUCTS, sourceOf } from '../../test/projection/shop-window.ts';
import { createStateSnapshots } from '../projection/state-snapshots.ts';
import { checkSchema } from '../validate/json-schema.ts';
import { callSite, type SiteHost } from './site.ts';
import { readSiteCall } from './site-call.ts';
import { SITE_MODES, SITE_TOOL } from './site-tool.ts';

const MAP: Manifest = {
  protocol: 'actions.json',
  version: 1,
  tools: [
    {
      name: 'cart.add',
      description: 'Puts a product into the cart.',
      input_schema: { type: 'object', required: ['product'] },
      target: { selector: 'form', url_contains: '/products/' },
      x_actions: { handler: 'shop.add', effect: 'act' },
    },
    {
      name: 'cart.rename',
      description: 'Gives the cart a name.',
      input_schema: { type: 'object', required: ['name'] },
      x_actions: { handler: 'shop.rename' },
    },
    {
      name: 'cart.changed',
      description: 'Comes from the page.',
      input_schema: { type: 'object' },
      x_actions: { direction: 'html_to_agent' },
    },
  ],
  state_projections: [PRODUCTS],
};

function setUp(map: Manifest = MAP) {
  const window = openWindow();
  const calls: unknown[] = [];
  const routes: unknown[] = [];
  const { projections: _, ...source } = sourceOf(window);
  const host: SiteHost = {
    snapshots: createStateSnapshots(),
    find: async (route) => {
      routes.push(route);
      return {
        runtime_key: 'tab-1',
        map,
        source,
        call: async (action, args, options) => {
          calls.push([action, args, options.timeout_ms]);
          return { done: true };
        },
      };
    },
  };
  return { window, calls, routes, site: (input: unknown) => callSite(host, input) };
}

describe('list', () => {
  test('[MAN-203] returns the callable tools with schemas and the projections with summaries', async () => {
    expect(await setUp().site({ mode: 'list' })).toEqual({
      actions: [
        {
          name: 'cart.add',
          description: 'Puts a product into the cart.',
          input_schema: { type: 'object', required: ['product'] },
          target_url_contains: '/products/',
          effect: 'act',
        },
        {
          name: 'cart.rename',
          description: 'Gives the cart a name.',
          input_schema: { type: 'object', required: ['name'] },
        },
      ],
      state_projections: [
        {
          name: 'shop.products',
          description: 'What the page offers.',
          summaries: ['agent_context', 'names'],
        },
      ],
      files: [],
      skills: [],
    });
  });

  test('[MAN-203] returns the companion files of the map', async () => {
    const files = [{ id: 'guide', path: 'context/guide.md' }];
    expect(await setUp({ ...MAP, ...{ x_actions: { files } } }).site({ mode: 'list' })).toMatchObject({
      files,
    });
  });
});

describe('call', () => {
  const lamp = { product: 'lamp' };
  const added = ['cart.add', lamp, 30_000];
  test.each<[string, unknown]>([
    ['action', { mode: 'call', action: 'cart.add', arguments: lamp }],
    ['action_name', { mode: 'call', action_name: 'cart.add', arguments: lamp }],
    ['name', { mode: 'call', name: 'cart.add', arguments: lamp }],
    ['action inside arguments', { mode: 'call', arguments: { action: 'cart.add', product: 'lamp' } }],
    ['both inside arguments', { mode: 'call', arguments: { action_name: 'cart.add', arguments: lamp } }],
    ['name inside arguments', { mode: 'call', arguments: { name: 'cart.add', product: 'lamp' } }],
    ['arguments as text', { mode: 'call', action: 'cart.add', arguments: '{"product":"lamp"}' }],
    ['everything as text', JSON.stringify({ mode: 'call', action: 'cart.add', arguments: lamp })],
    [
      'inner arguments as text',
      { mode: 'call', arguments: { action: 'cart.add', arguments: '{"product":"lamp"}' } },
    ],
    ['arguments beside the action', { mode: 'call', action: 'cart.add', product: 'lamp' }],
    [
      '[MAN-235] a repeated action',
      { mode: 'call', action: 'cart.add', arguments: { action: 'cart.add', ...lamp } },
    ],
    ['no mode', { action: 'cart.add', arguments: lamp }],
    ['a mode in capitals', { mode: 'CALL', action: 'cart.add', arguments: lamp }],
  ])('[MAN-204] finds the tool and its arguments: %s', async (_, input) => {
    const { site, calls } = setUp();
    expect(await site(input)).toEqual({ done: true });
    expect(calls).toEqual([added]);
  });

  test("[MAN-204] a tool's own argument called name is passed to the tool", async () => {
    const { site, calls } = setUp();
    await site({ mode: 'call', action: 'cart.rename', arguments: { name: 'Garden' } });
    expect(calls).toEqual([['cart.rename', { name: 'Garden' }, 30_000]]);
  });

  test('goes to the selected runtime, with the timeout', async () => {
    const { site, calls, routes } = setUp();
    const route = { target_runtime_id: 'r-1', target_url_contains: 'shop' };
    await site({ mode: 'call', action: 'cart.add', arguments: {}, timeout_ms: '5000', ...route });
    expect(routes).toEqual([route]);
    expect(calls).toEqual([['cart.add', {}, 5000]]);
  });

  test.each<[string, unknown, object]>([
    [
      'an action there is not, with a guess',
      { mode: 'call', action: 'cart.ad' },
      {
        code: 'unknown_action',
        message: 'There is no action "cart.ad". Did you mean cart.add? There are: cart.add, cart.rename.',
      },
    ],
    [
      '[MAN-137] what only comes from the page',
      { mode: 'call', action: 'cart.changed' },
      { code: 'unknown_action' },
    ],
    [
      'no action',
      { mode: 'call' },
      { code: 'invalid_input', evidence: { available_actions: ['cart.add', 'cart.rename'] } },
    ],
    [
      'a mode there is not',
      { mode: 'run' },
      {
        code: 'invalid_input',
        message: 'There is no mode "run". There are: list, call, state_read, state_summary, state_diff.',
      },
    ],
    [
      'arguments that are a list',
      { mode: 'call', action: 'cart.add', arguments: [1] },
      { code: 'invalid_input' },
    ],
    [
      'arguments that are no JSON',
      { mode: 'call', action: 'cart.add', arguments: '{product}' },
      { code: 'invalid_input' },
    ],
    [
      'a time of less than nothing',
      { mode: 'call', action: 'cart.add', timeout_ms: -1 },
      { code: 'invalid_input' },
    ],
    ['no object at all', 7, { code: 'invalid_input' }],
  ])('refuses %s', async (_, input, error) => {
    const { site, calls } = setUp();
    await expect(site(input)).rejects.toMatchObject(error);
    expect(calls).toEqual([]);
  });
});

describe('state', () => {
  test('[MAN-191] [MAN-192] [MAN-193] each mode has its own form of answer', async () => {
    const { site, window } = setUp();
    const projection_name = 'shop.products';
    expect(await site({ mode: 'state_read', projection_name })).toMatchObject({
      state: { heading: 'Everything' },
    });
    expect(await site({ mode: 'state_summary', projection_name })).toMatchObject({ summary: { count: 2 } });
    expect(await site({ mode: 'state_diff', projection_name })).toMatchObject({ baseline: 'initialized' });
    window.products = [MUG, LAMP];
    expect(await site({ mode: 'state_diff', projection_name })).toMatchObject({
      patches: [{ op: 'move', from: '/products/1', path: '/products/0' }],
    });
  });

  test.each<[string, object]>([
    ['projection', { projection: 'shop.products' }],
    ['name', { name: 'shop.products' }],
    ['inside arguments', { arguments: { projection_name: 'shop.products' } }],
    ['and no mode', { mode: undefined, projection_name: 'shop.products' }],
    ['the only one there is', {}],
  ])('finds the projection: %s', async (_, fields) => {
    expect(await setUp().site({ mode: 'state-read', ...fields })).toMatchObject({
      projection: 'shop.products',
    });
  });

  test('passes on the summary name and the byte limit', async () => {
    const { site } = setUp();
    expect(await site({ projection: 'shop.products', summary_name: 'names' })).toMatchObject({
      summary: ['Lamp', 'Mug'],
    });
    expect(await site({ mode: 'state_summary', summary_name: 'names' })).toMatchObject({
      summary: ['Lamp', 'Mug'],
    });
    await expect(site({ mode: 'state_read', max_bytes: 10 })).rejects.toMatchObject({
      code: 'state_payload_too_large',
    });
  });

  test('refuses an ambiguous projection, and a diff of a summary', async () => {
    const several = { ...MAP, state_projections: [PRODUCTS, { ...PRODUCTS, name: 'shop.cart' }] };
    await expect(setUp(several).site({ mode: 'state_read' })).rejects.toMatchObject({
      code: 'invalid_input',
      evidence: { available_projections: ['shop.products', 'shop.cart'] },
    });
    await expect(setUp().site({ mode: 'state_diff', summary_name: 'names' })).rejects.toMatchObject({
      code: 'state_diff_requires_full_state',
    });
  });
});

test('the input schema accepts valid calls and is plain data', () => {
  const { input_schema: schema } = SITE_TOOL;
  expect(JSON.parse(JSON.stringify(SITE_TOOL))).toEqual(SITE_TOOL);
  expect(checkSchema(schema, { mode: 'call', action: 'cart.add', arguments: {} })).toEqual({ ok: true });
  expect(checkSchema(schema, { mode: 'run' }).ok).toBe(false);
});

test('any JSON is read as a call or refused as invalid_input', () => {
  const key = fc.constantFrom(
    'mode',
    'action',
    'name',
    'arguments',
    'projection_name',
    'max_bytes',
    'timeout_ms',
  );
  const value = fc.oneof(fc.constantFrom('call', 'list', '{"name":"cart.add"}', '7', ''), fc.jsonValue());
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(key, value), fc.jsonValue()), (input) => {
      try {
        expect(SITE_MODES).toContain(readSiteCall(input).mode);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_input' });
      }
    }),
  );
});
