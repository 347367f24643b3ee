import { expect, test } from 'vitest';
import { amountLines, goodsLines } from './amounts.ts';

test.each([
  ...[
    '49 €',
    '€49',
    '49,00 €',
    '1.234,56 EUR',
    'EUR 1,234.56',
    '$1,234.56',
    'US$ 12',
    '-$5',
    '£9.99',
    '¥1200',
  ],
  ...[
    'CHF 1’234.50',
    '1 234,50 zł',
    '199 kr',
    'kr 199',
    '12,- €',
    '₹ 1,00,000',
    '₩30000',
    '5000円',
    '1000 руб',
    '٤٩ €',
  ],
])('reads %s as an amount', (text) => {
  expect(amountLines(`To pay ${text}`)).toEqual([`To pay ${text}`]);
});

test.each(['Room 49', 'Version 1.2.3', '3 items', '12:30', 'krill 12', '12 errors'])(
  'takes %s for none',
  (text) => {
    expect(amountLines(text)).toEqual([]);
  },
);

test('lists totals first, and joins a bare amount with the line before it', () => {
  expect(amountLines('Lamp 44.10 €\nShipping\n4.90 €\n\nTotal\n49.00 €\nLamp 44.10 €')).toEqual([
    'Total 49.00 €',
    'Lamp 44.10 €',
    'Shipping 4.90 €',
  ]);
});

test('scans a long run of digits in linear time', () => {
  expect(amountLines('1'.repeat(200_000))).toEqual([]);
});

test('lists how many of what', () => {
  expect(goodsLines('Your order\n2 × Arc lamp\n98 €\nBulb  x 3\nSize 20 x 30 cm\n2 × Arc lamp')).toEqual([
    '2 × Arc lamp',
    'Bulb x 3',
  ]);
});
