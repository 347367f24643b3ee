import type { Manifest } from '@drawbridge/protocol/manifest';
import { describe, expect, test } from 'vitest';
import { aMap, codesOf, composeFrom, importOf, namesOf, tool } from '../../test/compose/sample-maps.ts';
import { validate } from '../validate/validate.ts';
import { asManifest, checkSpeaksFor } from './compose.ts';

/** A map in which every field that can name another part does. */
const everything = aMap({
  tools: [
    tool('next', {
      target: { selector: 'a', state: 'ready' },
      x_actions: {
        execution: { steps: [{ id: 'go', type: 'click', target: { selector: 'a', state: 'ready' } }] },
      },
    }),
    tool('pay', {
      workflow: { version: 1, expression_language: 'jsonata', steps: [], postcondition: 'cart' },
    }),
  ],
  signals: [{ name: 'moved', target: { selector: 'a', state: 'ready' } }],
  states: [
    { name: 'ready', diagnostics: [{ name: 'd', target: { selector: 'main' } }] },
    { name: 'done', diagnostics: [{ name: 'd', target: { selector: 'b', state: 'ready' } }] },
  ],
  transitions: [
    {
      name: 'forward',
      from: 'ready',
      to: 'done',
      tool: 'next',
      signal: 'moved',
      preconditions: ['ready', 'The cart is not empty.', { state: 'done' }],
      reveals: 'done',
      convergence: { complete_when: 'done', max_attempts: 2 },
    },
  ],
  context: [
    {
      id: 'about',
      load_when: { states: ['ready'], targets: ['next', '[data-x]', { selector: 'a', state: 'done' }] },
      available_tools: ['next', 'overlay.open'],
      next_states: ['done'],
    },
  ],
  attachments: [
    {
      id: 'button',
      kind: 'overlay_launcher',
      target: { selector: 'h2', state: 'ready' },
      lifecycle: {},
      affordance: { opens: { tool: 'next' } },
      signals: ['moved'],
    },
    {
      id: 'launcher',
      kind: 'overlay_launcher',
      target: { selector: 'h2' },
      lifecycle: {},
      affordance: { opens: { tool: 'overlay.open' } },
      signals: { activated: 'moved' },
    },
  ],
  checks: [
    {
      id: 'drift',
      assertions: [
        { tool: 'next', state: 'ready', attachment: 'button' },
        { target: 'moved' },
        { target: { selector: 'a', state: 'done' }, visible: true },
      ],
    },
  ],
  state_projections: [
    {
      name: 'cart',
      snapshot: {
        version: 1,
        source: 'dom',
        extract: [],
        projection: { language: 'jsonata', expression: '{% {} %}' },
      },
      postconditions: {
        pay: { projection: 'cart', verify: { language: 'jsonata', expression: '{% true %}' } },
      },
    },
  ],
});

const asImport = (fields: Record<string, unknown> = {}): Manifest =>
  aMap({ imports: [importOf('every', { namespace: 'e', ...fields })] });

describe('names inside an import', () => {
  test('[MAN-111] follow the parts that they name', async () => {
    const composed = await composeFrom(asImport(), { 'every.json': everything });
    expect(composed.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('names e.overlay.open'),
    ]);
    expect(composed.tools).toMatchObject([
      {
        name: 'e.next',
        target: { state: 'e.ready' },
        x_actions: { execution: { steps: [{ id: 'go', target: { selector: 'a', state: 'e.ready' } }] } },
      },
      { name: 'e.pay', workflow: { postcondition: 'e.cart' } },
    ]);
    expect(composed.signals).toMatchObject([{ name: 'e.moved', target: { state: 'e.ready' } }]);
    expect(composed.states).toMatchObject([
      { name: 'e.ready', diagnostics: [{ name: 'd' }] },
      { name: 'e.done', diagnostics: [{ name: 'd', target: { state: 'e.ready' } }] },
    ]);
    expect(composed.transitions).toMatchObject([
      {
        name: 'e.forward',
        from: 'e.ready',
        to: 'e.done',
        tool: 'e.next',
        signal: 'e.moved',
        preconditions: ['e.ready', 'The cart is not empty.', { state: 'e.done' }],
        reveals: 'e.done',
        convergence: { complete_when: 'e.done', max_attempts: 2 },
      },
    ]);
    expect(composed.context).toMatchObject([
      {
        id: 'e.about',
        load_when: {
          states: ['e.ready'],
          targets: ['e.next', '[data-x]', { selector: 'a', state: 'e.done' }],
        },
        available_tools: ['e.next', 'e.overlay.open'],
        next_states: ['e.done'],
      },
    ]);
    expect(composed.attachments).toMatchObject([
      {
        id: 'e.button',
        target: { state: 'e.ready' },
        affordance: { opens: { tool: 'e.next' } },
        signals: ['e.moved'],
      },
      {
        id: 'e.launcher',
        affordance: { opens: { tool: 'overlay.open' } },
        signals: { activated: 'e.moved' },
      },
    ]);
    expect(composed.checks).toMatchObject([
      {
        id: 'e.drift',
        assertions: [
          { tool: 'e.next', state: 'e.ready', attachment: 'e.button' },
          { target: 'e.moved' },
          { target: { selector: 'a', state: 'e.done' }, visible: true },
        ],
      },
    ]);
    expect(composed.state_projections).toMatchObject([
      { name: 'e.cart', postconditions: { 'e.pay': { projection: 'e.cart' } } },
    ]);
  });

  test('the composition is a valid map', async () => {
    const composed = await composeFrom(asImport(), { 'every.json': everything });
    expect(validate(asManifest(composed))).toMatchObject({ ok: true });
    expect(asManifest(composed).imports).toBeUndefined();
  });

  test('composing does not change its input maps', async () => {
    const before = structuredClone(everything);
    await composeFrom(asImport(), { 'every.json': everything });
    expect(everything).toEqual(before);
  });

  test('[MAN-228] an undeclared name in an import never matches a part of the importing map', async () => {
    const nosy = aMap({
      tools: [tool('mine')],
      context: [{ id: 'hint', available_tools: ['pay'], next_states: ['paid'] }],
      transitions: [{ name: 't', tool: 'pay' }],
    });
    const root = aMap({ tools: [tool('pay')], states: [{ name: 'paid' }], imports: [importOf('nosy')] });
    const composed = await composeFrom(root, { 'nosy.json': nosy });
    expect(composed.transitions).toMatchObject([{ tool: 'nosy.pay' }]);
    expect(composed.context).toMatchObject([{ available_tools: ['nosy.pay'], next_states: ['nosy.paid'] }]);
  });

  test("[MAN-211] an import's button that opens another map's tool is left out", async () => {
    const trap = (id: string, opened: string) => ({
      id,
      kind: 'overlay_launcher',
      target: { selector: 'h1' },
      lifecycle: {},
      affordance: { label: 'Free stickers', opens: { tool: opened } },
    });
    const tricky = aMap({ tools: [tool('own')], attachments: [trap('bad', 'pay'), trap('good', 'own')] });
    for (const composition of [{}, { default_conflict_policy: 'prefer_local' }]) {
      const root = aMap({ tools: [tool('pay')], imports: [importOf('tricky')], composition });
      const composed = await composeFrom(root, { 'tricky.json': tricky });
      expect(composed.attachments.map(({ id }) => id.replace('tricky.', ''))).toEqual(['good']);
      expect(codesOf(composed)).toEqual(['foreign_reference']);
    }
  });

  test("a map's own parts may act on the tools of its imports", async () => {
    const root = aMap({
      imports: [importOf('shop')],
      transitions: [{ name: 't', tool: 'shop.pay', rate_limit_ms: 100 }],
    });
    const composed = await composeFrom(root, { 'shop.json': aMap({ tools: [tool('pay')] }) });
    expect(composed.problems).toEqual([]);
    expect(namesOf(composed.transitions)).toEqual(['t']);
  });
});

describe('names into an import', () => {
  const root = (name: string) =>
    aMap({
      imports: [importOf('shop')],
      checks: [{ id: 'c', assertions: [{ tool: name }] }],
      transitions: [{ name: 't', from: 'shop.ready', tool: name }],
    });
  const shop = aMap({ tools: [tool('pay')], states: [{ name: 'ready' }] });

  test('[MAN-99] are checked after composing', async () => {
    const good = await composeFrom(root('shop.pay'), { 'shop.json': shop });
    expect(good.problems).toEqual([]);
    const bad = await composeFrom(root('shop.nothing'), { 'shop.json': shop });
    expect(codesOf(bad)).toEqual(['unknown_reference', 'unknown_reference']);
    expect(bad.problems[0]?.message).toContain('shop.nothing');
  });

  test('[MAN-99] are reported when the import is missing, and the part that contains them stays', async () => {
    const composed = await composeFrom(root('shop.pay'), {});
    expect(codesOf(composed)).toEqual([
      'import_unreadable',
      'unknown_reference',
      'unknown_reference',
      'unknown_reference',
    ]);
    expect(composed.checks).toHaveLength(1);
  });
});

test("[MAN-227] a check covers the tools of its map and of that map's imports", async () => {
  const check = { id: 'safe', assertions: [{ target: { selector: 'main' } }] };
  const root = aMap({ tools: [tool('own')], checks: [check], imports: [importOf('a'), importOf('b')] });
  const a = aMap({ tools: [tool('t')], checks: [check] });
  const composed = await composeFrom(root, { 'a.json': a, 'b.json': aMap({ tools: [tool('t')] }) });
  const speaksFor = checkSpeaksFor(composed);
  expect(['own', 'a.t', 'b.t'].filter((name) => speaksFor('safe', name))).toEqual(['own', 'a.t', 'b.t']);
  expect(['own', 'a.t', 'b.t'].filter((name) => speaksFor('a.safe', name))).toEqual(['a.t']);
});
