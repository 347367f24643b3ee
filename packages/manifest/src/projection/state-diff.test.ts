import { expect, test } from 'vitest';
import { LAMP, MUG, openWindow, PRODUCTS, sourceOf, VASE } from '../../test/projection/shop-window.ts';
import { applyPatch } from './diff/patch.ts';
import { type DiffQuery, diffState } from './state-diff.ts';
import { readState } from './state-reading.ts';
import { createStateSnapshots } from './state-snapshots.ts';

const query: DiffQuery = { projection_name: 'shop.products', runtime_key: 'tab-1' };

test('[MAN-194] the first diff sets the baseline and has no operations', async () => {
  const first = await diffState(sourceOf(openWindow()), createStateSnapshots(), query);
  expect(first).toMatchObject({
    ok: true,
    baseline: 'initialized',
    patch_format: 'json_patch',
    patches: [],
    semantic_deltas: [],
    diagnostics: { selector_counts: { cards: 2 } },
  });
  expect(first).not.toHaveProperty('previous_state_hash');
});

test('[MAN-193] the next diff has JSON Patch operations and semantic deltas', async () => {
  const [window, snapshots] = [openWindow(), createStateSnapshots()];
  const source = sourceOf(window);
  const first = await diffState(source, snapshots, query);
  window.products = [VASE, LAMP, { ...MUG, price: '12 €' }];
  const second = await diffState(source, snapshots, query);
  expect(second).toMatchObject({
    baseline: 'previous_snapshot',
    previous_state_hash: first.state_hash,
    patches: [
      { op: 'add', path: '/products/0', value: { id: 'vase', name: 'Vase', price: '34 €' } },
      { op: 'replace', path: '/products/2/price', value: '12 €' },
    ],
    semantic_deltas: [
      { type: 'entity_added', entity_key: 'id=vase', path: '/products/0' },
      { type: 'field_replaced', entity_key: 'id=mug', before: '14.50 €', after: '12 €' },
    ],
  });
  expect(second.state_hash).not.toBe(first.state_hash);
  expect(await diffState(source, snapshots, query)).toMatchObject({
    patches: [],
    previous_state_hash: second.state_hash,
  });
});

test('[MAN-195] applying the operations to the previous state gives the current one', async () => {
  const [window, snapshots] = [openWindow(), createStateSnapshots()];
  const source = sourceOf(window);
  await diffState(source, snapshots, query);
  const before = await readState(source, query);
  window.products = [MUG, VASE];
  window.heading = 'Two';
  const { patches } = await diffState(source, snapshots, query);
  expect(applyPatch(before.state, patches)).toEqual((await readState(source, query)).state);
});

test('[MAN-194] each runtime and each projection has its own baseline', async () => {
  const snapshots = createStateSnapshots();
  const source = sourceOf(openWindow(), [PRODUCTS, { ...PRODUCTS, name: 'shop.other' }]);
  await diffState(source, snapshots, query);
  const baselineOf = async (change: Partial<DiffQuery>) =>
    (await diffState(source, snapshots, { ...query, ...change })).baseline;
  expect(await baselineOf({ runtime_key: 'tab-2' })).toBe('initialized');
  expect(await baselineOf({ projection_name: 'shop.other' })).toBe('initialized');
  expect(await baselineOf({})).toBe('previous_snapshot');
  snapshots.forget('tab-1');
  expect(await baselineOf({})).toBe('initialized');
  expect(await baselineOf({ runtime_key: 'tab-2' })).toBe('previous_snapshot');
});

test('a change in a refused diff is part of the next diff', async () => {
  const [window, snapshots] = [openWindow(), createStateSnapshots()];
  const source = sourceOf(window);
  await diffState(source, snapshots, query);
  window.products = [LAMP, MUG, VASE];
  await expect(diffState(source, snapshots, { ...query, max_bytes: 50 })).rejects.toMatchObject({
    code: 'state_payload_too_large',
  });
  expect((await diffState(source, snapshots, query)).patches).toHaveLength(1);
});

test('deltas above the limit are counted instead of listed', async () => {
  const [window, snapshots] = [openWindow([]), createStateSnapshots()];
  const source = sourceOf(window);
  await diffState(source, snapshots, query);
  window.products = Array.from({ length: 120 }, (_, at) => ({ ...LAMP, id: `lamp-${at}` }));
  const { semantic_deltas, semantic_deltas_omitted } = await diffState(source, snapshots, query);
  expect(semantic_deltas).toHaveLength(100);
  expect(semantic_deltas_omitted).toBe(20);
});

test('only the most recently used snapshots are kept', () => {
  const snapshots = createStateSnapshots(2);
  const key = (runtime: string) => ({ runtime, projection: 'p' });
  for (const runtime of ['a', 'b', 'a', 'c']) snapshots.keep(key(runtime), { state: runtime, hash: runtime });
  expect(['a', 'b', 'c'].map((runtime) => snapshots.find(key(runtime))?.hash)).toEqual(['a', undefined, 'c']);
});
