import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setUpShop } from '../test/shop-fixture.ts';

const { shop, visit } = setUpShop();

async function fillCart(page: Page): Promise<void> {
  await page.getByTestId('add-to-cart').click();
  await page.getByText('Dusk table lamp is in your cart.').waitFor();
}

async function fillDelivery(page: Page, email = 'buyer@example.com'): Promise<void> {
  await page.goto('/checkout');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Full name').fill('Demo Buyer');
  await page.getByLabel('Street and number').fill('Harbour Street 1');
  await page.getByLabel('Postcode').fill('10115');
  await page.getByLabel('Town or city').fill('Berlin');
  await page.getByLabel('Country').selectOption('Germany');
  await page.getByTestId('continue-to-payment').click();
}

async function pay(page: Page, number: string): Promise<void> {
  const card = page.frameLocator('iframe');
  await card.getByLabel('Card number').fill(number);
  await card.getByLabel('Expiry').fill('08/30');
  await card.getByLabel('CVC').fill('123');
  await card.getByRole('button', { name: /^Pay/ }).click();
}

test('a visitor finds a lamp, pays in the frame and gets an order number', async () => {
  await using opened = await visit('/');
  const { page } = opened;
  await page.getByRole('searchbox', { name: 'Search the shop' }).fill('dusk');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Dusk table lamp' }).click();
  await fillCart(page);
  await fillDelivery(page, 'whole-flow@example.com');
  expect(await page.getByRole('dialog').getByRole('heading').textContent()).toBe('Pay 53.90 €');
  await pay(page, '4242 4242 4242 4242');
  await page.waitForURL('/orders/LO-1001');
  expect(await page.getByTestId('order-number').textContent()).toBe('LO-1001');
  expect(await page.getByTestId('cart-count').textContent()).toBe('0');
  const [order] = shop()
    .orders()
    .filter(({ delivery }) => delivery.email === 'whole-flow@example.com');
  expect(order).toMatchObject({ number: 'LO-1001', totalCents: 5390, cardEnding: '4242' });
  expect(JSON.stringify(order)).not.toContain('42424242');
});

test('the payment frame has another origin and another process', async () => {
  await using opened = await visit('/products/dusk-table-lamp');
  const { page, context } = opened;
  await fillCart(page);
  await fillDelivery(page);
  await page.frameLocator('iframe').getByLabel('Card number').waitFor();
  const frame = page.frames().find((each) => each.url().startsWith(shop().payUrl));
  expect(new URL(frame?.url() ?? '').hostname).not.toBe(new URL(page.url()).hostname);
  expect(
    await page
      .locator('iframe')
      .evaluate((node) => node instanceof HTMLIFrameElement && node.contentDocument),
  ).toBe(null);
  // Chromium gives a separate session only to a frame in a separate process.
  if (frame) await (await context.newCDPSession(frame)).detach();
});

test('the card fields have autofill names', async () => {
  await using opened = await visit('/corners/frames');
  const inputs = opened.page.frameLocator('[title="Gift card payment"]').locator('input');
  await inputs.first().waitFor();
  expect(await inputs.evaluateAll((all) => all.map((input) => input.getAttribute('autocomplete')))).toEqual([
    'cc-number',
    'cc-exp',
    'cc-csc',
  ]);
});

test('a refused card can be tried again', async () => {
  await using opened = await visit('/products/dusk-table-lamp');
  const { page } = opened;
  await fillCart(page);
  await fillDelivery(page);
  await pay(page, '4000 0000 0000 0002');
  await page.frameLocator('iframe').getByText('The bank refused this card.').waitFor();
  await pay(page, '4242 4242 4242 4242');
  await page.waitForURL('/orders/LO-1001');
});

test('checkout names the missing fields and focuses the first', async () => {
  await using opened = await visit('/products/dusk-table-lamp');
  const { page } = opened;
  await fillCart(page);
  await page.goto('/checkout');
  await page.getByLabel('Full name').fill('Demo Buyer');
  await page.getByTestId('continue-to-payment').click();
  expect(await page.getByRole('alert').textContent()).toBe('5 fields need a second look.');
  const email = page.getByLabel('Email');
  expect(await email.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await email.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('#email-problem').textContent()).toBe(
    'Enter an email address, like name@example.com.',
  );
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the modal covers the page, traps focus, and restores it on Escape', async () => {
  await using opened = await visit('/products/dusk-table-lamp');
  const { page } = opened;
  await fillCart(page);
  await fillDelivery(page);
  const opener = page.getByTestId('continue-to-payment');
  await page.getByRole('dialog').waitFor();
  const onTop = await opener.evaluate((button) => {
    const { x, y } = button.getBoundingClientRect();
    return document.elementFromPoint(x + 4, y + 4)?.getAttribute('data-testid');
  });
  expect(onTop).toBe('cover');
  await opener.focus();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('the cart counts, changes and empties', async () => {
  await using opened = await visit('/products/dusk-table-lamp');
  const { page } = opened;
  await fillCart(page);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'One Dusk table lamp more' }).click();
  await page.getByTestId('cart-total').getByText('98 €').waitFor();
  expect(await page.getByTestId('cart-count').textContent()).toBe('2');
  await page.getByRole('button', { name: 'Remove Dusk table lamp' }).click();
  await page.getByText('Your cart is empty.').waitFor();
});

test('a change of the cart is announced on the document', async () => {
  await using opened = await visit('/products/stoneware-mug-sand');
  const { page } = opened;
  const announced = page.evaluate(
    () =>
      new Promise((resolve) => {
        const tell = (event: Event) => resolve(event instanceof CustomEvent && event.detail);
        document.addEventListener('shop:cart-changed', tell, { once: true });
      }),
  );
  await page.getByLabel('Quantity').fill('3');
  await page.getByTestId('add-to-cart').click();
  expect(await announced).toEqual({ count: 3, total: 43.5 });
});

test('a sold-out product cannot be bought', async () => {
  await using opened = await visit('/products/heron-armchair');
  const { page } = opened;
  expect(await page.getByRole('button', { name: 'Sold out' }).isDisabled()).toBe(true);
  const answer = await page.request.post('/cart/add', { form: { product: 'heron-armchair' } });
  expect(answer.status()).toBe(422);
});

test('visitors do not see each other’s carts', async () => {
  await using first = await visit('/products/dusk-table-lamp');
  await using second = await visit('/');
  await fillCart(first.page);
  await second.page.reload();
  expect(await second.page.getByTestId('cart-count').textContent()).toBe('0');
});
