import { expect, test } from 'vitest';
import { paidOf } from './paid-amount.ts';

const CHECKOUT = ['A linen shade 49.00 €', 'Standard 4.90 €', 'Express 12.90 €', 'Pay 53.90 €'];

test.each<[what: string, lines: readonly string[], label: string | undefined, paid: string]>([
  ['the button’s own price', CHECKOUT, 'Pay 53.90 €', 'Pay 53.90 €'],
  ['the total', [...CHECKOUT, 'Total 53,90 €'], 'Pay 53.90 €', 'Total 53,90 €'],
  ['the total beside a subtotal', ['Subtotal 49 €', 'Total 53.90 €'], 'Buy', 'Total 53.90 €'],
  [
    'a total with its tax',
    ['Total 53.90 € (incl. VAT 8.61 €)'],
    'Pay 53.90 €',
    'Total 53.90 € (incl. VAT 8.61 €)',
  ],
  ['the only price', ['Arc lamp 1,249.00 €', 'Now 1249 €'], 'Add to cart', 'Arc lamp 1,249.00 €'],
])('shows %s alone', (_, lines, label, paid) => {
  expect(paidOf(lines, label)).toEqual({ amounts: [paid], prices: [] });
});

test('takes a total for none that the button contradicts, or another total', () => {
  const low = ['Total 1.00 €', 'Pay 999.00 €'];
  expect(paidOf(low, 'Pay 999.00 €')).toEqual({ amounts: [], prices: low });
  const two = ['Total 49 €', 'Total with shipping 53.90 €'];
  expect(paidOf(two, 'Pay')).toEqual({ amounts: [], prices: two });
  expect(paidOf(CHECKOUT.slice(0, 3), 'Continue')).toEqual({ amounts: [], prices: CHECKOUT.slice(0, 3) });
});

test('keeps a price that comes again beside the total', () => {
  const lines = ['Total today 1.00 €', 'then 29.00 € per month'];
  expect(paidOf(lines, 'Start')).toEqual({ amounts: lines.slice(0, 1), prices: lines.slice(1) });
});
