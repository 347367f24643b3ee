import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, finishCall, postconditionCheck, validate } from '@drawbridge/manifest';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import type { Manifest } from '@drawbridge/protocol/manifest';
import { primitivesFor } from '@drawbridge/protocol/primitives';
import { openPage, type Shop, type Sites, startShop, startSites } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DrivenHarness, drivenHarness } from '../../test/primitives/driven-host.ts';
import { extractorOf, probeOf } from '../surface/page-probe.ts';
import { asRunPrimitive } from './run-primitive.ts';

const MAPS = join(import.meta.dirname, '../../../../maps');
const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
let shop: Shop;
let sites: Sites;
beforeAll(async () => {
  [shop, sites] = await Promise.all([startShop(), startSites()]);
});
afterAll(() => Promise.all([shop.close(), sites.close(), evaluator.close()]));

function readMap(name: string): Manifest {
  const result = validate(readFileSync(join(MAPS, name, 'actions.json'), 'utf8'));
  if (!result.ok) throw new Error(`The map ${name} is not valid.`);
  return result.map;
}

/** Runs tools of a map with our handlers, across navigations. */
function toolsOf(map: Manifest, { host, context }: DrivenHarness) {
  const source = {
    projections: map.state_projections ?? [],
    extractor: extractorOf(host),
    evaluator,
    clock: context.clock,
  };
  return async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
    const handlerContext = {
      runPrimitive: asRunPrimitive(context),
      evaluator,
      clock: context.clock,
      checkPostcondition: postconditionCheck(source, name),
    };
    const surface = {
      active: true,
      probe: probeOf(host),
      capabilities: new Set(primitivesFor('cdp').map((each) => each.name as string)),
      handlers: new Map(),
      checkResults: [],
      ledger: new Map(),
    };
    const call = { name, arguments: args, timeoutMs: 30_000 };
    let result: Awaited<ReturnType<typeof finishCall>> = await callTool(
      { ready: true, map, warnings: [] },
      call,
      surface,
      handlerContext,
    );
    while (result.status === 'waiting_for_page')
      result = await finishCall(map, name, result.run, handlerContext);
    return result.output;
  };
}

test('searches the shop and fills the cart through the map alone', async () => {
  await using opened = await openPage({ baseURL: shop.url });
  await opened.page.goto('/');
  await opened.page.locator('h1').first().waitFor();
  const call = toolsOf(readMap('shop'), await drivenHarness(opened.page));
  expect(await call('search.open', { query: 'lamp' })).toEqual({ found: '3 products for “lamp”' });
  expect(await call('search.refine', { query: 'dusk' })).toEqual({ found: '1 product for “dusk”' });
  expect(await call('product.open', { product: 'dusk-table-lamp' })).toMatchObject({
    name: 'Dusk table lamp',
  });
  expect(await call('cart.add', { quantity: 2 })).toEqual({ count_before: 0, added: 2 });
});

test('finds and reserves a book through the map alone', async () => {
  await using opened = await openPage({ baseURL: sites.libraryUrl });
  await opened.page.goto('/');
  const call = toolsOf(readMap('library'), await drivenHarness(opened.page));
  expect(await call('catalogue.search', { query: 'the' })).toEqual({ found: '18 books for “the”' });
  expect(await call('catalogue.next_page')).toEqual({ place: 'Page 2 of 3' });
  await call('catalogue.search', { query: 'verne' });
  expect(await call('book.open', { book: 'around-the-world' })).toMatchObject({
    title: 'Around the World in Eighty Days',
  });
  expect(await call('hold.place')).toEqual({ book: 'around-the-world' });
});

test('adds and moves cards through the map alone', async () => {
  await using opened = await openPage({ baseURL: sites.boardUrl });
  await opened.page.goto('/');
  await opened.page.locator('h1').first().waitFor();
  const call = toolsOf(readMap('board'), await drivenHarness(opened.page));
  expect(await call('card.add', { title: ' Water the greenhouse ' })).toEqual({
    title: 'Water the greenhouse',
  });
  await call('card.move', { card: 'card-1', lane: 'done' });
  expect(await call('card.ask_delete', { card: 'card-3' })).toEqual({ question: 'Delete “Order compost”?' });
});
