import { type Shop, sampled, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Agent, ERAS, idOf, pageJson, startAgent } from './mcp-client.ts';

/** Differs from the example in the card form: an output with this number has read a field. */
const CARD = { number: '5555 5555 5555 4444', expiry: '08/30', code: '7391' };
const WITH_FORMS = { elicitation: { form: {} } };

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

interface CardForm {
  readonly number: string;
  readonly expiry: string;
  readonly code: string;
  readonly pay: string;
}

/** From the shop's front page to its card form, by the tools of its map. */
async function goToCardForm({ callForText, site }: Agent, email: string): Promise<CardForm> {
  expect(await site('search.open', { query: 'lamp' })).toContain('3 products for “lamp”');
  const ids = await callForText('site', {
    mode: 'state_summary',
    projection_name: 'shop.results',
    summary_name: 'ids',
  });
  expect(pageJson(ids.text)).toMatchObject({ summary: expect.arrayContaining(['dusk-table-lamp']) });
  await site('product.open', { product: 'dusk-table-lamp' });
  expect(await site('cart.add', { quantity: 2 })).toContain('"added":2');
  await site('cart.open');
  await site('checkout.open');
  await site('checkout.deliver', {
    email,
    name: 'Demo Buyer',
    street: 'Harbour Street 1',
    postcode: '10115',
    city: 'Berlin',
    country: 'Germany',
  });
  let form = '';
  await expect
    .poll(
      async () => {
        form = (await callForText('snapshot')).text;
        return form;
      },
      { timeout: 20_000 },
    )
    .toContain('btn Pay 102.90 €');
  return {
    number: idOf(form, 'inp Card number'),
    expiry: idOf(form, 'inp Expiry'),
    code: idOf(form, 'inp CVC'),
    pay: idOf(form, 'btn Pay'),
  };
}

const fillCard = ({ number, expiry, code }: CardForm) => ({
  steps: [
    { do: 'fill', id: number, value: CARD.number },
    { do: 'fill', id: expiry, value: CARD.expiry },
    { do: 'fill', id: code, value: CARD.code },
  ],
});

const ordersOf = (email: string) => shop.orders().filter(({ delivery }) => delivery.email === email);

function expectNoCard(received: string): void {
  expect(received.replaceAll(/[\s-]/g, '')).not.toContain('5555555555554444');
  expect(received).not.toMatch(/(?<!\w)7391(?!\w)/);
}

describe.each(sampled(ERAS, 2))('the official client over MCP %s', (era) => {
  test('[BRG-71] [BRG-126] [BRG-128] finds, orders and pays, once its person has said yes', async () => {
    const email = `paid-${era}@example.com`;
    const agent = await startAgent(shop, { era, capabilities: WITH_FORMS });
    const asked: unknown[] = [];
    agent.client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      expect(ordersOf(email)).toEqual([]);
      return { action: 'accept', content: { decision: 'once' } };
    });

    const form = await goToCardForm(agent, email);
    const filled = await agent.callForText('act', fillCard(form));
    expect(filled.text).toContain(`~${form.number} [filled]`);
    for (const look of ['snapshot', 'read'] as const) await agent.callForText(look);
    await agent.callForText('snapshot', { mode: 'full', max_tokens: 5_000 });
    expect(asked).toEqual([]);

    const paid = await agent.callForText('act', { steps: [{ do: 'click', id: form.pay }] });
    expect(paid).toMatchObject({ isError: false });
    expect(asked).toMatchObject([
      {
        message: [
          `Allow this at ${shop.payUrl}?`,
          `Click on “Pay 102.90 €” at ${shop.payUrl}. This can’t be undone.`,
          `In a frame on: ${shop.url}`,
          `Sends to: ${shop.payUrl}/payments?amount=10290`,
          'Amount: Pay 102.90 €',
          'Goods: 2 × Dusk table lamp',
          ...['Card number', 'Expiry', 'CVC'].map((name) => `Sends: "${name}": •••`),
          `· "id": "${form.pay}"`,
        ].join('\n'),
        requestedSchema: { properties: { decision: { enum: ['once', 'deny'] } } },
      },
    ]);

    expect(await agent.callForText('wait', { for: 'url', value: '/orders/' })).toMatchObject({
      isError: false,
    });
    const [order] = ordersOf(email);
    expect(order).toMatchObject({ totalCents: 10_290, cardEnding: '4444' });
    const read = await agent.callForText('site', { mode: 'state_read', projection_name: 'shop.order' });
    expect(read).toMatchObject({ isError: false });
    expect(pageJson(read.text)).toMatchObject({ state: { number: order?.number, paid_cents: 10_290 } });

    const traces = await agent.client.readResource({ uri: 'drawbridge://traces' });
    expect(JSON.stringify(traces)).toContain('element.fill');
    expect(agent.received()).toContain('ending 4444');
    expectNoCard(agent.received());
  });
});

test('[BRG-80] a refusal by the person gives permission_denied, and no order', async () => {
  const email = 'declined@example.com';
  const agent = await startAgent(shop, { capabilities: WITH_FORMS });
  let asked = 0;
  agent.client.setRequestHandler('elicitation/create', () => {
    asked += 1;
    return { action: 'decline' };
  });
  const form = await goToCardForm(agent, email);
  await agent.callForText('act', fillCard(form));
  const { text, isError } = await agent.callForText('act', { steps: [{ do: 'click', id: form.pay }] });
  expect(isError).toBe(true);
  expect(text).toMatch(/^permission_denied\n/);
  expect(text).toContain('The person said no.');
  expect(asked).toBe(1);
  expect((await agent.callForText('snapshot')).text).toContain('btn Pay 102.90 €');
  expect(ordersOf(email)).toEqual([]);
  expectNoCard(agent.received());
});

test('[BRG-80] a client that cannot ask its person is denied, and learns where a person can be asked', async () => {
  const email = 'unasked@example.com';
  const agent = await startAgent(shop);
  const form = await goToCardForm(agent, email);
  await agent.callForText('act', fillCard(form));
  const { text, isError } = await agent.callForText('act', { steps: [{ do: 'click', id: form.pay }] });
  expect(isError).toBe(true);
  expect(text).toMatch(/^permission_denied\n/);
  expect(text).toContain('run drawbridge browser in a terminal and answer there');
  expect(ordersOf(email)).toEqual([]);
});
