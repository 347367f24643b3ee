import { startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personWho, type Rig, shopMap, startRig } from './rig.suite.ts';

let shop: Awaited<ReturnType<typeof startShop>>;
let rig: Rig;
const person = personWho(() => 'once');

beforeAll(async () => {
  shop = await startShop();
  rig = await startRig({ maps: shopMap(shop.url), asker: person });
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await shop.close();
});

test('[BRG-71] a lamp is found by declared tools and put into the cart', async () => {
  await rig.goto(`${shop.url}/`);
  expect(await rig.call('search.open', { query: 'lamp' })).toEqual({ found: '3 products for “lamp”' });
  expect(await rig.call('product.open', { product: 'dusk-table-lamp' })).toMatchObject({
    name: 'Dusk table lamp',
  });
  expect(await rig.call('cart.add', { quantity: 2 })).toEqual({ count_before: 0, added: 2 });
  expect(
    await rig.call('actions.site', { mode: 'state_read', projection_name: 'shop.cart_badge' }),
  ).toMatchObject({ state: { count: 2 } });
});
