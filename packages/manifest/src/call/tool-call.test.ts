import type { Manifest } from '@drawbridge/protocol/manifest';
import { createFakeClock } from '@drawbridge/testbed';
import { describe, expect, test } from 'vitest';
import { directEvaluator } from '../../test/expression/direct-evaluator.ts';
import { type Answer, scriptedPage } from '../../test/workflow/scripted-page.ts';
import type { PageProbe } from '../host.ts';
import type { Handler } from '../workflow/tool-execution.ts';
import { PageLeft } from '../workflow/workflow-host.ts';
import { type MapOffer, NO_MAP, offeredTools, offerMap } from './map-offer.ts';
import { type CallSurface, callTool, finishCall } from './tool-call.ts';

const MAP: Manifest = {
  protocol: 'actions.json',
  version: 1,
  surface: { origin: 'https://elsewhere.example' },
  tools: [
    {
      name: 'cart.add',
      description: 'Puts a product into the cart.',
      input_schema: {
        type: 'object',
        required: ['product'],
        properties: { product: { type: 'string' } },
        additionalProperties: false,
      },
      requires: ['pointer.click'],
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [{ id: 'press', primitive: 'pointer.click', args: { x: 1, y: 2 } }],
        output: "{% {'added': input.product} %}",
      },
      x_actions: { result_schema: { type: 'object', required: ['added'] } },
    },
    {
      name: 'cart.count',
      description: 'Counts what is in the cart.',
      input_schema: { type: 'object' },
      x_actions: { handler: 'shop.count', scope: 'persistent', result_schema: { type: 'integer' } },
    },
    {
      name: 'cart.changed',
      description: 'Comes from the page.',
      input_schema: { type: 'object' },
      x_actions: { direction: 'html_to_agent' },
    },
  ],
};

const nowhere: PageProbe = {
  url: async () => 'https://shop.example/',
  find: async () => ({ count: 0, visible: false }),
};

interface Setting {
  readonly offer?: MapOffer;
  readonly active?: boolean;
  readonly capabilities?: readonly string[];
  readonly count?: Handler;
  readonly answers?: Readonly<Record<string, Answer>>;
}

function setUp({
  offer = offerMap(MAP),
  active = true,
  capabilities = ['pointer.click'],
  count,
  answers,
}: Setting = {}) {
  const page = scriptedPage(answers);
  const surface: CallSurface = {
    active,
    probe: nowhere,
    capabilities: new Set(capabilities),
    handlers: new Map(count === undefined ? [] : [['shop.count', count]]),
    checkResults: [],
    ledger: new Map(),
  };
  const host = {
    runPrimitive: page.runPrimitive,
    evaluator: directEvaluator,
    clock: createFakeClock(0),
    runtimeKey: 'tab-1',
  };
  return {
    page,
    host,
    call: (name: string, args: object = { product: 'lamp' }) =>
      callTool(offer, { name, arguments: { ...args }, timeoutMs: 1_000 }, surface, host),
  };
}

const withFault = { ...MAP, tools: [...MAP.tools, { name: 'no tool' }] };

describe('offer', () => {
  test('[MAN-106] offers nothing before the map was validated', () => {
    expect(offeredTools(NO_MAP, { active: true })).toEqual([]);
    expect(offeredTools(offerMap(MAP), { active: true }).map(({ name }) => name)).toEqual([
      'cart.add',
      'cart.count',
    ]);
  });

  test('[MAN-107] offers nothing of an invalid map, not even its valid tools', async () => {
    const offer = offerMap(withFault);
    expect(offeredTools(offer, { active: true })).toEqual([]);
    await expect(setUp({ offer }).call('cart.add')).rejects.toMatchObject({ code: 'runtime_not_ready' });
  });

  test('[MAN-108] a call before a map is loaded fails at once, and nothing runs later', async () => {
    const { call, page } = setUp({ offer: NO_MAP });
    await expect(call('cart.add')).rejects.toMatchObject({ code: 'runtime_not_ready' });
    expect(page.calls).toEqual([]);
  });

  test('[MAN-109] the description of the surface neither permits nor forbids a tool', async () => {
    const { surface: _, ...bare } = MAP;
    for (const offer of [offerMap(MAP), offerMap(bare)]) {
      expect(await setUp({ offer }).call('cart.add')).toMatchObject({ output: { added: 'lamp' } });
    }
  });

  test('[MAN-110] an edit takes effect at once, and an invalid edit offers nothing', () => {
    const names = (offer: MapOffer) => offeredTools(offer, { active: true }).map(({ name }) => name);
    expect(names(offerMap({ ...MAP, tools: MAP.tools.slice(1) }))).toEqual(['cart.count']);
    expect(names(offerMap(withFault))).toEqual([]);
  });

  test('[MAN-143] only a persistent tool is offered while its surface is inactive', async () => {
    const { call } = setUp({ active: false, count: async () => 3 });
    expect(await call('cart.count')).toMatchObject({ output: 3 });
    await expect(call('cart.add')).rejects.toMatchObject({ code: 'unknown_action' });
  });
});

describe('a call', () => {
  test('a tool that is undeclared, or that only reports, cannot be called', async () => {
    const { call, page } = setUp();
    for (const name of ['cart.fly', 'cart.changed', 'toString']) {
      await expect(call(name)).rejects.toMatchObject({ code: 'unknown_action', evidence: { name } });
    }
    expect(page.calls).toEqual([]);
  });

  test('[MAN-136] arguments are checked before anything runs', async () => {
    const { call, page } = setUp();
    await expect(call('cart.add', { product: 7 })).rejects.toMatchObject({
      code: 'invalid_input',
      evidence: { path: 'product' },
    });
    expect(page.calls).toEqual([]);
    expect(await call('cart.add', { product: 'mug' })).toMatchObject({
      status: 'done',
      output: { added: 'mug' },
    });
    expect(page.names()).toEqual(['pointer.click']);
  });

  test('[MAN-138] a missing capability is reported before anything runs', async () => {
    const { call, page } = setUp({ capabilities: [] });
    await expect(call('cart.add')).rejects.toMatchObject({
      code: 'capability_unavailable',
      evidence: { missing: ['pointer.click'] },
    });
    expect(page.calls).toEqual([]);
  });

  test('[MAN-142] output that the result schema forbids is not returned', async () => {
    await expect(setUp({ count: async () => 'three' }).call('cart.count')).rejects.toMatchObject({
      code: 'invalid_result',
    });
    expect(await setUp({ count: async () => 3 }).call('cart.count')).toMatchObject({ output: 3 });
  });

  test('a call whose page navigated is finished on the next page', async () => {
    const { call, page, host } = setUp({
      answers: { 'pointer.click': () => new PageLeft({ pressed: true }) },
    });
    const waiting = await call('cart.add');
    if (waiting.status !== 'waiting_for_page') throw new Error('It did not wait.');
    expect(await finishCall(MAP, 'cart.add', waiting.run, host)).toEqual({
      status: 'done',
      output: { added: 'lamp' },
    });
    expect(page.names()).toEqual(['pointer.click']);
  });
});
