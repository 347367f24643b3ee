import { expect, test } from 'vitest';
import { setUpShop } from '../test/shop-fixture.ts';
import { DEMO_CODE, DEMO_EMAIL, DEMO_PASSWORD } from './pages/login-page.ts';

const { visit } = setUpShop();

test('a wrong password is refused, and the form keeps only the email', async () => {
  await using opened = await visit('/login');
  const { page } = opened;
  await page.getByLabel('Email').fill(DEMO_EMAIL);
  await page.getByLabel('Password').fill('not-the-password');
  await page.getByTestId('log-in').click();
  await page.getByText('That email and password do not belong together.').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe(DEMO_EMAIL);
  expect(await page.getByLabel('Password').inputValue()).toBe('');
  expect(await page.content()).not.toContain('not-the-password');
  expect(await page.getByLabel('Password').evaluate((input) => input === document.activeElement)).toBe(true);
});

test('the right password opens the account, and logging out closes it', async () => {
  await using opened = await visit('/login');
  const { page } = opened;
  await page.getByLabel('Email').fill(DEMO_EMAIL);
  await page.getByLabel('Password').fill(DEMO_PASSWORD);
  await page.getByTestId('log-in').click();
  await page.waitForURL('/account');
  await page.getByText(`Logged in as ${DEMO_EMAIL}.`).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Log in' }).waitFor();
});

test('a one-time code logs in too', async () => {
  await using opened = await visit('/login');
  const { page } = opened;
  const code = page.getByLabel('Six-digit code');
  expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
  await code.fill('000000');
  await page.getByRole('button', { name: 'Use the code' }).click();
  await page.getByText('That code is wrong or too old.').waitFor();
  await code.fill(DEMO_CODE);
  await page.getByRole('button', { name: 'Use the code' }).click();
  await page.waitForURL('/account');
});

test('the password can be shown and hidden again', async () => {
  await using opened = await visit('/login');
  const { page } = opened;
  const reveal = page.getByRole('button', { name: 'Show' });
  await reveal.click();
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('text');
  expect(await reveal.getAttribute('aria-pressed')).toBe('true');
  await reveal.click();
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('password');
});

test('half of the badly labelled fields have no accessible name', async () => {
  await using opened = await visit('/corners/address');
  const { page } = opened;
  const named = (name: string) => page.getByRole('textbox', { name, exact: true }).count();
  expect(await Promise.all(['First name', 'Last name', 'Company (if any)', 'Ring at'].map(named))).toEqual([
    1, 1, 1, 1,
  ]);
  expect(await Promise.all(['Postcode', 'Town', 'Phone', 'Floor'].map(named))).toEqual([0, 0, 0, 0]);
  const nameless = page.locator('form').getByRole('textbox', { name: /^$/ });
  expect(await nameless.evaluateAll((all) => all.map((field) => field.getAttribute('name')))).toEqual([
    'postcode',
    'city',
    'phone',
    'floor',
  ]);
});

test('the address form marks missing fields, keeps the others, and then saves', async () => {
  await using opened = await visit('/corners/address');
  const { page } = opened;
  const fill = (field: string, text: string) => page.locator(`[name="${field}"]`).fill(text);
  await fill('first', 'Demo');
  await fill('phone', 'call me');
  const save = page.getByRole('button', { name: 'Save address' });
  await save.click();
  await page.getByRole('alert').waitFor();
  expect(await page.locator('.problem').allInnerTexts()).toEqual([
    ...['last', 'street', 'postcode', 'city'].map(() => 'This is missing.'),
    'A phone number is made of digits.',
  ]);
  expect(await page.locator('[name="first"]').inputValue()).toBe('Demo');
  await fill('last', 'Buyer');
  await fill('street', 'Harbour Street 1');
  await fill('postcode', '10115');
  await fill('city', 'Berlin');
  await fill('phone', '+49 30 123456');
  await page.locator('[name="parcel"]').check();
  await page.locator('[value="evening"]').check();
  await save.click();
  const saved = page.getByTestId('saved-address');
  expect(await saved.locator('[data-field="city"]').textContent()).toBe('Berlin');
  expect(await saved.locator('[data-field="slot"]').textContent()).toBe('evening');
  expect(await saved.locator('[data-field="company"]').textContent()).toBe('not given');
});
