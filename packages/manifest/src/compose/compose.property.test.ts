import type { Manifest } from '@drawbridge/protocol/manifest';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aMap, importOf, loadFrom, tool } from '../../test/compose/sample-maps.ts';
import { validate } from '../validate/validate.ts';
import { asManifest, type Composed, compose } from './compose.ts';
import type { LoadImport } from './import-tree.ts';

const FILES = ['a', 'b', 'c', 'd', 'e'] as const;
const file = fc.constantFrom(...FILES);
const name = fc.constantFrom('pay', 'search', 'a.pay', 'b.a.search', 'cart');
const policy = fc.constantFrom(undefined, 'prefer_local', 'prefer_import', 'error', 'namespace');

const imported = fc
  .record({ uri: file, namespace: fc.option(fc.constantFrom('a', 'b', 'b.a'), { nil: undefined }) })
  .map(({ uri, namespace }) => importOf(`from-${uri}`, { uri, namespace }));

const map = fc
  .record({
    tools: fc.uniqueArray(name, { maxLength: 3 }),
    states: fc.uniqueArray(name, { maxLength: 2 }),
    imports: fc.uniqueArray(imported, { maxLength: 3, selector: ({ id }) => id }),
    policy,
  })
  .map((one) =>
    aMap({
      tools: one.tools.map((called) => tool(called)),
      states: one.states.map((called) => ({ name: called })),
      imports: one.imports,
      composition: one.policy === undefined ? {} : { default_conflict_policy: one.policy },
    }),
  );

const world = fc.record({ root: map, a: map, b: map, c: map, d: map, e: map });

/** Resolves loads in a shuffled order. */
function loadInOrder(files: Readonly<Record<string, Manifest>>, order: fc.Scheduler): LoadImport {
  return order.scheduleFunction(loadFrom(files));
}

const limits = { maxDepth: 3, maxImports: 12, maxTools: 12 };

const plain = (composed: Composed) => ({
  ...composed,
  origins: Object.entries(composed.origins).map(([section, origins]) => [section, [...origins]]),
});

test('[MAN-121] the load order of imports does not change the result', async () => {
  const property = fc.asyncProperty(world, fc.scheduler(), async ({ root, ...files }, order) => {
    const inTurn = await compose(root, { load: loadFrom(files), limits });
    const shuffled = compose(root, { load: loadInOrder(files, order), limits });
    await order.waitFor(shuffled);
    expect(plain(await shuffled)).toEqual(plain(inTurn));
  });
  await fc.assert(property, { numRuns: 150 });
});

test('[MAN-114] composed parts have unique names, and each tool is present or reported', async () => {
  const property = fc.asyncProperty(world, async ({ root, ...files }) => {
    const composed = await compose(root, { load: loadFrom(files), limits });
    for (const parts of [composed.tools, composed.states]) {
      expect(new Set(parts.map((part) => part.name)).size).toBe(parts.length);
    }
    expect(validate(asManifest(composed))).toMatchObject({ ok: true });
    if (!composed.ok) return;
    for (const own of root.tools) {
      const origin = composed.origins.tools.get(own.name);
      const gaveWay = composed.conflicts.some((one) => one.name === own.name && one.gaveWay.length === 0);
      expect(origin?.chain.length === 0 || gaveWay).toBe(true);
    }
  });
  await fc.assert(property, { numRuns: 150 });
});
