import { describe, expect, test } from 'vitest';
import { aMap, codesOf, composeFrom, importOf, namesOf, tool } from '../../test/compose/sample-maps.ts';
import { allowTrust } from './origin.ts';

const shop = aMap({ tools: [tool('cart.add'), tool('search')] });
const importing = (fields: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  aMap({ tools: [tool('search')], imports: [importOf('shop', fields)], ...more });

describe('names', () => {
  test("[MAN-111] an import's names are prefixed with its namespace and a dot", async () => {
    const composed = await composeFrom(importing({ namespace: 'store' }), { 'shop.json': shop });
    expect(namesOf(composed.tools)).toEqual(['search', 'store.cart.add', 'store.search']);
    expect(composed.conflicts).toEqual([]);
  });

  test('[MAN-111] every kind of part is prefixed, at every level', async () => {
    const inner = aMap({ tools: [tool('pay')], states: [{ name: 'paid' }] });
    const outer = aMap({
      tools: [],
      imports: [importOf('inner', { namespace: 'in' })],
      signals: [{ name: 'moved' }],
    });
    const composed = await composeFrom(aMap({ imports: [importOf('outer', { namespace: 'out' })] }), {
      'outer.json': outer,
      'inner.json': inner,
    });
    expect(namesOf(composed.tools)).toEqual(['out.in.pay']);
    expect(namesOf(composed.states)).toEqual(['out.in.paid']);
    expect(namesOf(composed.signals)).toEqual(['out.moved']);
  });

  test('[MAN-112] a disabled import adds nothing and is not read', async () => {
    const composed = await composeFrom(importing({ enabled: false }), {});
    expect(namesOf(composed.tools)).toEqual(['search']);
    expect(composed.problems).toEqual([]);
    expect(
      namesOf((await composeFrom(importing({ enabled: true }), { 'shop.json': shop })).tools),
    ).toHaveLength(3);
  });

  test('[MAN-113] an import without a namespace is prefixed with its id', async () => {
    const composed = await composeFrom(importing(), { 'shop.json': shop });
    expect(namesOf(composed.tools)).toEqual(['search', 'shop.cart.add', 'shop.search']);
  });

  test('[MAN-113] a conflict policy removes that prefix', async () => {
    const root = importing({}, { composition: { default_conflict_policy: 'prefer_local' } });
    expect(namesOf((await composeFrom(root, { 'shop.json': shop })).tools)).toEqual(['search', 'cart.add']);
  });

  test('[MAN-16] an import without a namespace adds nothing when one is required', async () => {
    const composition = { namespace_required: true };
    const without = await composeFrom(importing({}, { composition }), { 'shop.json': shop });
    expect(namesOf(without.tools)).toEqual(['search']);
    expect(codesOf(without)).toEqual(['namespace_required']);
    const within = await composeFrom(importing({ namespace: 's' }, { composition }), { 'shop.json': shop });
    expect(namesOf(within.tools)).toEqual(['search', 's.cart.add', 's.search']);
  });
});

describe('conflicts', () => {
  const under = (policy: string | undefined) =>
    composeFrom(
      importing({}, policy === undefined ? {} : { composition: { default_conflict_policy: policy } }),
      {
        'shop.json': aMap({ tools: [tool('search', { description: 'Theirs.' })] }),
      },
    );
  const sent = { section: 'tools', name: 'search' };

  test('[MAN-115] prefer_local keeps the local tool and leaves the imported one out', async () => {
    const composed = await under('prefer_local');
    expect(composed.tools.map(({ description }) => description)).toEqual(['Does search.']);
    expect(composed.conflicts).toEqual([{ ...sent, kept: [], gaveWay: ['shop'], outcome: 'left_out' }]);
    expect(composed.origins.tools.get('search')?.chain).toEqual([]);
  });

  test('[MAN-116] prefer_import keeps the imported tool', async () => {
    const composed = await under('prefer_import');
    expect(composed.tools.map(({ description }) => description)).toEqual(['Theirs.']);
    expect(composed.conflicts).toEqual([{ ...sent, kept: ['shop'], gaveWay: [], outcome: 'left_out' }]);
    expect(composed.origins.tools.get('search')?.chain).toMatchObject([{ id: 'shop' }]);
  });

  test('[MAN-116] with error, a conflict fails the composition and exposes nothing', async () => {
    const composed = await under('error');
    expect(composed.ok).toBe(false);
    expect(composed.tools).toEqual([]);
    expect(codesOf(composed)).toEqual(['name_conflict']);
    expect(composed.conflicts).toEqual([{ ...sent, kept: [], gaveWay: ['shop'], outcome: 'refused' }]);
  });

  test('[MAN-116] with error, a composition without a conflict succeeds', async () => {
    const root = importing({}, { composition: { default_conflict_policy: 'error' } });
    const composed = await composeFrom(root, { 'shop.json': aMap({ tools: [tool('pay')] }) });
    expect(composed.ok).toBe(true);
    expect(namesOf(composed.tools)).toEqual(['search', 'pay']);
  });

  test('[MAN-116] with namespace, the imported tool is prefixed', async () => {
    expect(namesOf((await under('namespace')).tools)).toEqual(['search', 'shop.search']);
  });

  test('[MAN-114] two imports with one namespace are never merged: the second one is prefixed', async () => {
    const imports = [importOf('one', { namespace: 'shop' }), importOf('two', { namespace: 'shop' })];
    const files = { 'one.json': shop, 'two.json': shop };
    const composed = await composeFrom(aMap({ imports }), files);
    expect(namesOf(composed.tools)).toEqual([
      'shop.cart.add',
      'shop.search',
      'two.shop.cart.add',
      'two.shop.search',
    ]);
    expect(composed.conflicts).toMatchObject([
      { name: 'shop.cart.add', kept: ['one'], gaveWay: ['two'], renamedTo: 'two.shop.cart.add' },
      { name: 'shop.search', kept: ['one'], gaveWay: ['two'], renamedTo: 'two.shop.search' },
    ]);
  });

  test('[MAN-114] between two imports, the first one keeps the name', async () => {
    for (const policy of ['prefer_local', 'prefer_import']) {
      const root = aMap({
        imports: [importOf('one'), importOf('two')],
        composition: { default_conflict_policy: policy },
      });
      const composed = await composeFrom(root, { 'one.json': shop, 'two.json': shop });
      expect(namesOf(composed.tools)).toEqual(['cart.add', 'search']);
      expect(composed.conflicts).toMatchObject([
        { kept: ['one'], gaveWay: ['two'], outcome: 'left_out' },
        { kept: ['one'], gaveWay: ['two'], outcome: 'left_out' },
      ]);
      expect(composed.origins.tools.get('search')?.chain).toMatchObject([{ id: 'one' }]);
    }
  });

  test("[MAN-114] an import named like the map's own tools does not replace them", async () => {
    const root = aMap({ tools: [tool('shop.search')], imports: [importOf('shop')] });
    const composed = await composeFrom(root, { 'shop.json': shop });
    expect(namesOf(composed.tools)).toEqual(['shop.search', 'shop.cart.add', 'shop.shop.search']);
    expect(composed.origins.tools.get('shop.search')?.chain).toEqual([]);
  });

  test('[MAN-114] the imported tool is left out when the prefixed name is taken too', async () => {
    const root = aMap({
      tools: [tool('shop.search'), tool('shop.shop.search')],
      imports: [importOf('shop')],
    });
    const composed = await composeFrom(root, { 'shop.json': aMap({ tools: [tool('search')] }) });
    expect(namesOf(composed.tools)).toEqual(['shop.search', 'shop.shop.search']);
    expect(composed.conflicts).toMatchObject([
      { name: 'shop.search', gaveWay: ['shop'], outcome: 'left_out' },
    ]);
  });

  test('[MAN-119] a conflict error inside an import leaves out only that import', async () => {
    const inner = aMap({
      tools: [tool('search')],
      imports: [importOf('deep')],
      composition: { default_conflict_policy: 'error' },
    });
    const root = aMap({ tools: [tool('search')], imports: [importOf('inner'), importOf('shop')] });
    const files = { 'inner.json': inner, 'deep.json': shop, 'shop.json': shop };
    const composed = await composeFrom(root, files);
    expect(composed.ok).toBe(true);
    expect(namesOf(composed.tools)).toEqual(['search', 'shop.cart.add', 'shop.search']);
    expect(composed.problems).toMatchObject([{ code: 'name_conflict', imports: ['inner'] }]);
  });

  test('a name that is too long with its prefix is left out and reported', async () => {
    const composed = await composeFrom(importing({ namespace: 'n'.repeat(250) }), { 'shop.json': shop });
    expect(namesOf(composed.tools)).toEqual(['search']);
    expect(codesOf(composed)).toEqual(['name_too_long', 'name_too_long']);
  });
});

describe('trust and origin', () => {
  test('[MAN-117] a source that the trust policy refuses exposes nothing and is not read', async () => {
    const refused = await composeFrom(
      importing({ trust: 'public' }),
      {},
      { trustPolicy: allowTrust('private') },
    );
    expect(namesOf(refused.tools)).toEqual(['search']);
    expect(codesOf(refused)).toEqual(['trust_refused']);
    const allowed = await composeFrom(
      importing({ trust: 'public' }),
      { 'shop.json': shop },
      { trustPolicy: allowTrust('public') },
    );
    expect(allowed.tools).toHaveLength(3);
  });

  test('[MAN-117] sources of unknown trust are refused unless the host allows them', async () => {
    const root = importing({ trust: undefined });
    expect(codesOf(await composeFrom(root, { 'shop.json': shop }))).toEqual(['trust_refused']);
    const all = await composeFrom(root, { 'shop.json': shop }, { trustPolicy: () => true });
    expect(all.origins.tools.get('shop.search')?.trust).toBe('unknown');
  });

  test('[MAN-117] an import cannot give another more trust than it has', async () => {
    const outer = aMap({ imports: [importOf('inner', { trust: 'private' })] });
    const files = { 'outer.json': outer, 'inner.json': shop };
    const root = aMap({ imports: [importOf('outer', { trust: 'public' })] });
    const composed = await composeFrom(root, files);
    expect(composed.origins.tools.get('outer.inner.search')?.trust).toBe('public');
    const strict = await composeFrom(root, files, { trustPolicy: allowTrust('private') });
    expect(strict.tools).toEqual([]);
  });

  test('[MAN-118] each tool keeps its import chain, its trust and its provenance', async () => {
    const provenance = { source: 'the shop itself', revision: '7' };
    const composed = await composeFrom(importing({ namespace: 'store', trust: 'shared', provenance }), {
      'shop.json': shop,
    });
    expect(composed.origins.tools.get('store.search')).toEqual({
      name: 'search',
      trust: 'shared',
      address: 'local:shop.json',
      chain: [
        {
          id: 'shop',
          kind: 'local',
          uri: 'shop.json',
          address: 'local:shop.json',
          namespace: 'store',
          trust: 'shared',
          provenance,
        },
      ],
    });
    expect(composed.origins.tools.get('search')).toMatchObject({ chain: [], trust: 'private' });
    const reviewed = { ...shop, provenance: { reviewed_by: 'the shop' } };
    const delivered = await composeFrom(importing(), { 'shop.json': reviewed });
    expect(delivered.origins.tools.get('shop.search')?.provenance).toEqual({ reviewed_by: 'the shop' });
  });
});

describe('problems', () => {
  test('[MAN-119] an invalid import adds nothing and is reported, and the rest works', async () => {
    const root = aMap({ tools: [tool('own')], imports: [importOf('bad'), importOf('shop')] });
    const bad = { protocol: 'actions.json', version: 1, tools: [tool('good'), { name: 'no description' }] };
    const composed = await composeFrom(root, { 'bad.json': bad, 'shop.json': shop });
    expect(composed.ok).toBe(true);
    expect(namesOf(composed.tools)).toEqual(['own', 'shop.cart.add', 'shop.search']);
    expect(composed.problems).toMatchObject([{ code: 'import_invalid', imports: ['bad'] }]);
    expect(composed.problems[0]?.details?.length).toBeGreaterThan(0);
  });

  test.each(['', 'not json', '[]', 'null', '{"protocol":"actions.json"}', '['.repeat(100)])(
    '[MAN-119] text that is no map adds nothing: %j',
    async (text) => {
      const composed = await composeFrom(importing(), { 'shop.json': text });
      expect(namesOf(composed.tools)).toEqual(['search']);
      expect(codesOf(composed)).toEqual(['import_invalid']);
    },
  );

  test('[MAN-119] the error of a source that fails does not reveal its path', async () => {
    const composed = await composeFrom(importing(), {});
    expect(codesOf(composed)).toEqual(['import_unreadable']);
    expect(JSON.stringify(composed.problems)).not.toContain('secret');
  });

  test('[MAN-120] a map that imports itself, directly or through another, is a cycle', async () => {
    const a = aMap({ tools: [tool('a')], imports: [importOf('b')] });
    const b = aMap({ tools: [tool('b')], imports: [importOf('a')] });
    const composed = await composeFrom(a, { 'a.json': a, 'b.json': b }, { address: 'local:a.json' });
    expect(namesOf(composed.tools)).toEqual(['a', 'b.b']);
    expect(composed.problems).toMatchObject([{ code: 'import_cycle', imports: ['b', 'a'] }]);
  });

  test('[MAN-120] the same map through two imports is no cycle', async () => {
    const b = aMap({ tools: [tool('b')], imports: [importOf('shop')] });
    const root = aMap({ imports: [importOf('b'), importOf('shop')] });
    const composed = await composeFrom(root, { 'b.json': b, 'shop.json': shop });
    expect(composed.problems).toEqual([]);
    expect(namesOf(composed.tools)).toEqual([
      'b.b',
      'b.shop.cart.add',
      'b.shop.search',
      'shop.cart.add',
      'shop.search',
    ]);
  });

  test('[MAN-120] a cycle through relative paths is found, and equal names in two folders are none', async () => {
    const inFolder = aMap({ tools: [tool('inner')], imports: [importOf('up', { uri: '../actions.json' })] });
    const root = aMap({ imports: [importOf('folder', { uri: 'folder/actions.json' })] });
    const composed = await composeFrom(root, { 'folder/actions.json': inFolder });
    expect(namesOf(composed.tools)).toEqual(['folder.inner']);
    expect(codesOf(composed)).toEqual(['import_cycle']);
  });

  const endless = aMap({ tools: [tool('t')], imports: [importOf('next', { uri: 'x/next.json' })] });

  test('[MAN-120] the depth of imports is limited', async () => {
    const composed = await composeFrom(endless, { 'x/next.json': endless }, { limits: { maxDepth: 2 } });
    expect(namesOf(composed.tools)).toEqual(['t', 'next.t', 'next.next.t']);
    expect(composed.problems).toMatchObject([{ code: 'import_too_deep', imports: ['next', 'next', 'next'] }]);
  });

  test('[MAN-120] the number of imports is limited', async () => {
    const imports = [importOf('one'), importOf('two'), importOf('three')];
    const files = { 'one.json': shop, 'two.json': shop, 'three.json': shop };
    const composed = await composeFrom(aMap({ imports }), files, { limits: { maxImports: 2 } });
    expect(composed.tools).toHaveLength(4);
    expect(composed.problems).toMatchObject([{ code: 'too_many_imports', imports: ['three'] }]);
  });

  test('[MAN-120] the size of each import and of all together is limited', async () => {
    const text = JSON.stringify(shop);
    const imports = [importOf('one'), importOf('two')];
    const files = { 'one.json': text, 'two.json': text };
    const each = await composeFrom(aMap({ imports }), files, { limits: { maxMapChars: text.length - 1 } });
    expect(codesOf(each)).toEqual(['import_too_large', 'import_too_large']);
    const total = await composeFrom(aMap({ imports }), files, {
      limits: { maxTotalChars: 2 * text.length - 1 },
    });
    expect(namesOf(total.tools)).toEqual(['one.cart.add', 'one.search']);
    expect(total.problems).toMatchObject([{ code: 'import_too_large', imports: ['two'] }]);
    const fits = await composeFrom(aMap({ imports }), files, { limits: { maxTotalChars: 2 * text.length } });
    expect(fits.problems).toEqual([]);
  });

  test('[MAN-120] the number of tools is limited', async () => {
    const imports = [importOf('one'), importOf('two')];
    const files = { 'one.json': shop, 'two.json': aMap({ tools: [tool('t')] }) };
    const composed = await composeFrom(aMap({ imports, tools: [tool('own')] }), files, {
      limits: { maxTools: 2 },
    });
    expect(namesOf(composed.tools)).toEqual(['own', 'two.t']);
    expect(composed.problems).toMatchObject([{ code: 'too_many_tools', imports: ['one'] }]);
  });
});
