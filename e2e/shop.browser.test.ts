import { startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { answeringPerson, type BrowserHarness, shopMap, startBrowserHarness } from './browser-harness.ts';

let shop: Awaited<ReturnType<typeof startShop>>;
let harness: BrowserHarness;
let decision: 'once' | 'deny' = 'once';
const person = answeringPerson(() => decision);

beforeAll(async () => {
  shop = await startShop();
  harness = await startBrowserHarness({ maps: shopMap(shop.url), asker: person });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await shop.close();
});

const ADDRESS = {
  email: 'buyer@example.com',
  name: 'Demo Buyer',
  street: 'Harbour Street 1',
  postcode: '10115',
  city: 'Berlin',
  country: 'Germany',
};

/** Waits for an element in any frame and returns its id. */
async function idOf(name: RegExp): Promise<string> {
  return vi.waitUntil(
    async () => {
      const { page } = (await harness.call('page.snapshot')) as {
        page: { interactive_tree: readonly { i: string; n: string }[] };
      };
      return page.interactive_tree.find(({ n }) => name.test(n))?.i;
    },
    { timeout: 10_000 },
  );
}

test('[BRG-71] a lamp is found by declared tools and put into the cart', async () => {
  await harness.goto(`${shop.url}/`);
  expect(await harness.call('search.open', { query: 'lamp' })).toEqual({ found: '3 products for “lamp”' });
  expect(await harness.call('product.open', { product: 'dusk-table-lamp' })).toMatchObject({
    name: 'Dusk table lamp',
  });
  expect(await harness.call('cart.add', { quantity: 2 })).toEqual({ count_before: 0, added: 2 });
  expect(
    await harness.call('actions.site', { mode: 'state_read', projection_name: 'shop.cart_badge' }),
  ).toMatchObject({ state: { count: 2 } });
});

test("[BRG-128] [BRG-130] pays in a frame of another site only after a person's yes", async () => {
  await harness.call('cart.open');
  await harness.call('checkout.open');
  expect(await harness.call('checkout.deliver', ADDRESS)).toEqual({ continued: true });
  await harness.call('element.fill', { id: await idOf(/^Card number/), text: '4242 4242 4242 4242' });
  await harness.call('element.fill', { id: await idOf(/^Expiry/), text: '08/30' });
  await harness.call('element.fill', { id: await idOf(/^CVC/), text: '123' });

  person.asked.length = 0;
  decision = 'deny';
  const pay = await idOf(/^Pay /);
  await expect(harness.call('element.click', { id: pay })).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect(shop.orders()).toEqual([]);

  decision = 'once';
  await harness.call('element.click', { id: await idOf(/^Pay /) });
  expect(person.asked).toHaveLength(2);
  expect(person.asked[1]).toMatchObject({
    origin: shop.payUrl,
    effect: 'irreversible',
    sentence: expect.stringContaining('Pay'),
  });
  await harness.call('page.wait', { for: 'url', url_contains: '/orders/' });
  expect(
    await harness.call('actions.site', { mode: 'state_read', projection_name: 'shop.order' }),
  ).toMatchObject({
    state: { number: 'LO-1001' },
  });
  expect(shop.orders()).toMatchObject([{ number: 'LO-1001' }]);
});

test('[BRG-126] the card is in no item of a runtime', () => {
  const said = JSON.stringify(harness.answered);
  for (const secret of ['4242 4242 4242 4242', '4242424242424242', '08/30'])
    expect(said).not.toContain(secret);
});

test("the shop's map buys by itself, after one question to a person", async () => {
  await harness.goto(`${shop.url}/products/dusk-table-lamp`);
  await harness.call('cart.add', { quantity: 1 });
  await harness.call('cart.open');
  await harness.call('checkout.open');
  await harness.call('checkout.deliver', ADDRESS);
  const before = shop.orders().length;
  person.asked.length = 0;
  decision = 'deny';
  await expect(harness.call('checkout.buy_on_invoice')).rejects.toMatchObject({ code: 'permission_denied' });
  expect(shop.orders()).toHaveLength(before);
  decision = 'once';
  const bought = await harness.call('checkout.buy_on_invoice');
  expect(bought).toEqual({ order: shop.orders().at(-1)?.number });
  expect(shop.orders()).toHaveLength(before + 1);
  expect(person.asked).toMatchObject([
    { name: 'checkout.buy_on_invoice' },
    {
      ...{ name: 'checkout.buy_on_invoice', effect: 'irreversible' },
      amounts: ['To pay 53.90 €'],
    },
  ]);
});
