import { expect, test } from 'vitest';
import { cardProblems, createPaymentService } from './payment-service.ts';

const GOOD = { number: '4242 4242 4242 4242', expiry: '08/30', code: '123' };

test.each([
  [{ number: '4242 4242 4242 4241' }, { number: 'Check the card number.' }],
  [{ number: '42' }, { number: 'Check the card number.' }],
  [{ number: '4000000000000002' }, { number: 'The bank refused this card. Try another one.' }],
  [{ expiry: '13/30' }, { expiry: 'Enter month and year, like 08/30.' }],
  [{ code: '12' }, { code: 'Enter the 3 or 4 digits on the card.' }],
  [{}, {}],
])('%j is judged', (change, problems) => {
  expect(cardProblems({ ...GOOD, ...change })).toEqual(problems);
});

test('a payment pays once, and only its own amount', () => {
  const service = createPaymentService();
  expect(service.take(GOOD, 4900)).toEqual({ id: 'pay-1', amountCents: 4900, cardEnding: '4242' });
  expect(service.redeem('pay-1', 100)).toBeUndefined();
  expect(service.redeem('pay-1', 4900)).toMatchObject({ id: 'pay-1' });
  expect(service.redeem('pay-1', 4900)).toBeUndefined();
});
