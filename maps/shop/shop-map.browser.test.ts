import { checkSchema } from '@drawbridge/manifest';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { openPage, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMap, startWalk } from '../test/map-walk.ts';

let shop: Shop;
const evaluator = createWorkerEvaluator({ maxMs: 5000 });
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => Promise.all([shop.close(), evaluator.close()]));

const ADDRESS = {
  email: 'buyer@example.com',
  name: 'Demo Buyer',
  street: 'Harbour Street 1',
  postcode: '10115',
  city: 'Berlin',
  country: 'Germany',
};

test('a lamp is found, put into the cart, sent for and paid by the map alone, and every selector is met', async () => {
  await using opened = await openPage({ baseURL: shop.url });
  const { page } = opened;
  const walk = await startWalk(readMap('shop'), page, evaluator);
  await walk.goto('/');
  expect(await walk.state('shop.cart_badge')).toEqual({ count: 0 });

  expect(await walk.call('search.open', { query: 'lamp' })).toEqual({ found: '3 products for “lamp”' });
  expect(await walk.call('search.refine', { query: 'dusk' })).toEqual({ found: '1 product for “dusk”' });
  expect(await walk.state('shop.results')).toEqual({
    asked: 'dusk',
    told: '1 product for “dusk”',
    products: [
      { id: 'dusk-table-lamp', name: 'Dusk table lamp', price_cents: 4900, sold_out: false, in_cart: 0 },
    ],
  });
  await walk.call('search.refine', { query: 'heron' });
  await expect.poll(() => walk.state('shop.results')).toMatchObject({ products: [{ sold_out: true }] });
  await walk.call('search.refine', { query: 'lamp' });
  expect(await walk.summary('shop.results')).toEqual({
    told: '3 products for “lamp”',
    first: ['Dusk table lamp, 49 €', 'Harbour floor lamp, 129 €', 'Round side table, 159 €'],
  });

  expect(await walk.call('product.open', { product: 'dusk-table-lamp' })).toMatchObject({
    name: 'Dusk table lamp',
  });
  expect(await walk.call('cart.add', { quantity: 2 })).toEqual({ count_before: 0, added: 2 });
  expect(await walk.call('cart.add')).toEqual({ count_before: 2, added: 1 });
  await walk.goto('/search?q=lamp', '#search .note:text("3 in your cart")');
  expect(await walk.state('shop.results')).toMatchObject({
    products: [{ in_cart: 3 }, { in_cart: 0 }, { in_cart: 0 }],
  });
  await walk.goto('/products/clay-teapot');
  await walk.call('cart.add');
  await walk.call('cart.open');
  await walk.call('cart.add_one', { product: 'clay-teapot' });
  expect(await walk.state('shop.cart')).toEqual({
    total_cents: 3 * 4900 + 2 * 4200,
    lines: [
      { id: 'dusk-table-lamp', name: 'Dusk table lamp', quantity: 3, sum_cents: 14_700 },
      { id: 'clay-teapot', name: 'Clay teapot', quantity: 2, sum_cents: 8400 },
    ],
  });
  await walk.diff('shop.cart');
  await walk.call('cart.remove', { product: 'dusk-table-lamp' });
  expect((await walk.diff('shop.cart')).semantic_deltas).toEqual([
    { type: 'field_replaced', path: '/total_cents', before: 23_100, after: 8400 },
    { type: 'entity_removed', entity_key: 'id=dusk-table-lamp', path: '/lines/0' },
  ]);

  expect(await walk.call('checkout.open')).toEqual({ to_pay: '88.90 €' });
  await expect(walk.call('checkout.deliver', { ...ADDRESS, email: 'nobody' })).rejects.toMatchObject({
    code: 'state_postcondition_failed',
    message: expect.stringContaining('its problems say which field to correct'),
  });
  expect(await walk.state('shop.checkout')).toEqual({
    to_pay_cents: 8890,
    problems: ['Enter an email address, like name@example.com.'],
    payment_open: false,
  });
  await walk.call('checkout.deliver', { ...ADDRESS, speed: 'express' });
  expect(await walk.summary('shop.checkout')).toEqual({ to_pay: '96.9 €', problems: [], payment_open: true });

  const paid = walk.call('checkout.pay');
  const card = page.frameLocator('iframe.pay');
  await card.getByLabel('Card number').fill('4242 4242 4242 4242');
  await card.getByLabel('Expiry').fill('08/30');
  await card.getByLabel('CVC').fill('123');
  await card.getByRole('button', { name: /^Pay/ }).click();
  expect(await paid).toEqual({ order: 'LO-1001' });
  expect(await walk.state('shop.order')).toEqual({
    number: 'LO-1001',
    paid_cents: 9690,
    lines: ['Clay teapot: 84 €', 'Delivery: 12.90 €'],
  });
  expect(shop.orders()).toMatchObject([{ number: 'LO-1001', totalCents: 9690 }]);

  await walk.goto('/cart', '#cart .button');
  expect(await walk.state('shop.cart')).toEqual({ total_cents: 0, lines: [] });

  await walk.goto('/products/clay-teapot');
  await walk.call('cart.add', { quantity: 1 });
  await walk.call('cart.open');
  await walk.call('checkout.open');
  await walk.call('checkout.deliver', ADDRESS);
  expect(await walk.call('checkout.buy_on_invoice')).toEqual({ order: 'LO-1002' });
  expect(shop.orders()).toMatchObject([{ number: 'LO-1001' }, { number: 'LO-1002' }]);
  expect(walk.missed()).toEqual({ selectors: [], tools: [] });
});

test('the signal of the map is the event of the page, with the payload it declares', async () => {
  await using opened = await openPage({ baseURL: shop.url });
  const { page } = opened;
  const signal = readMap('shop').signals?.[0];
  await page.goto('/products/oak-board');
  const detail = page.evaluate(
    (name) =>
      new Promise((tell) => {
        document.addEventListener(name, (event) => tell(Reflect.get(event, 'detail')), { once: true });
      }),
    signal?.event ?? '',
  );
  await page.getByTestId('add-to-cart').click();
  expect(await detail).toEqual({ count: 1, total: 28 });
  expect(checkSchema(signal?.payload ?? {}, await detail)).toEqual({ ok: true });
});
