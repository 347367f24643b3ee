import { expect, test } from 'vitest';
import { intentsOf, valuesIn } from './grammar.ts';
import type { Intent, Target } from './intent.ts';

const open = (name: string, more: Partial<Target> = {}): Intent => ({
  kind: 'open',
  target: { name, ...more },
});
const press = (name: string, more: Partial<Target> = {}): Intent => ({
  kind: 'press',
  target: { name, ...more },
});
const search = (words: string): Intent => ({ kind: 'search', words });
const navigate = (url: string): Intent => ({ kind: 'navigate', url });
const type = (field: string, value: string): Intent => ({ kind: 'set', field, value, by: 'type' });
const loose = (field: string, value: string): Intent => ({
  kind: 'set',
  field,
  value,
  by: 'type',
  isLoose: true,
});
const choose = (field: string, value: string): Intent => ({ kind: 'set', field, value, by: 'choose' });
const put = (quantity: number, thing: string, place = 'cart'): Intent => ({
  kind: 'put',
  quantity,
  thing,
  place,
});
const read = (what: string, of = ''): Intent => ({ kind: 'read', what, of });
const tick = (name: string, wanted = true, more: Partial<Target> = {}): Intent => ({
  kind: 'tick',
  target: { name, ...more },
  wanted,
});
const say = (words: string): Intent => ({ kind: 'do', words });
const decline = (words: string): Intent => ({ kind: 'decline', words });
const SUBMIT: Intent = { kind: 'submit' };
const BOX = { roles: ['chk', 'switch', 'radio'] };

const REQUESTS: ReadonlyArray<readonly [request: string, ...intents: Intent[]]> = [
  ['search for maps and open the first result', search('maps'), open('result', { ordinal: 1 })],
  ['Search the shop for lamps, then open the second one.', search('lamps'), open('one', { ordinal: 2 })],
  ['find salt and pepper mills', search('salt and pepper mills')],
  ['search for "black and open shelves"', search('black and open shelves')],
  ['look up Storm lantern', search('Storm lantern')],
  ['fill the form with name Ada, city Paris and submit', type('name', 'Ada'), type('city', 'Paris'), SUBMIT],
  [
    'fill in the delivery form with full name "Ada Lovelace", street: Mill Lane 3 and email ada@example.com, then submit the form',
    type('full name', 'Ada Lovelace'),
    type('street', 'Mill Lane 3'),
    type('email', 'ada@example.com'),
    SUBMIT,
  ],
  ['fill out the form with full name Ada Lovelace', loose('full name', 'Ada Lovelace')],
  ['fill in the form', { kind: 'form' }],
  ['fill City with Paris', type('City', 'Paris')],
  ['add two lamps to the cart', put(2, 'lamps')],
  ['Please add the Dusk table lamp to my basket', put(1, 'Dusk table lamp', 'basket')],
  ['put 3 x Oak board in the cart', put(3, 'Oak board')],
  ['add a dozen candles to the cart', put(12, 'candles')],
  ['add it to the cart', put(1, '')],
  ['add to cart', put(1, '')],
  [
    'go to https://example.com/a?b=1,2 and click Next',
    navigate('https://example.com/a?b=1,2'),
    press('Next'),
  ],
  ['go to example.com', navigate('https://example.com')],
  ['open localhost:7720/cart', navigate('http://localhost:7720/cart')],
  ['visit 127.0.0.1:7720', navigate('http://127.0.0.1:7720')],
  ['https://shop.example', navigate('https://shop.example')],
  ['open Delivery', open('Delivery')],
  ['go to the cart', open('cart')],
  ['go back', { kind: 'back' }],
  ['open the last result', open('result', { ordinal: -1 })],
  ['open the third lamp', open('lamp', { ordinal: 3 })],
  ['click Add to cart', press('Add to cart')],
  ['click on the "Log in" button', press('Log in', { roles: ['btn'] })],
  ['press the second Remove button', press('Remove', { roles: ['btn'], ordinal: 2 })],
  ['tap the link Awkward corners', press('Awkward corners', { roles: ['link'] })],
  ["check the box 'I agree'", tick('I agree', true, BOX)],
  ['tick I agree and untick Newsletter', tick('I agree'), tick('Newsletter', false)],
  ['choose Express as delivery', choose('delivery', 'Express')],
  ['select Germany in the Country list', choose('Country', 'Germany')],
  ['pick the Express option', choose('', 'Express')],
  ['choose Cheapest first as Sort', choose('Sort', 'Cheapest first')],
  ['set the quantity to 3', type('quantity', '3')],
  ['type hello into Message and press Send', type('Message', 'hello'), press('Send')],
  [
    'write "open the door, then press Send" in the Message field',
    type('Message', 'open the door, then press Send'),
  ],
  ['enter Paris in City and press Enter', type('City', 'Paris'), SUBMIT],
  ['scroll down', { kind: 'scroll', way: 'down' }],
  ['scroll to the bottom', { kind: 'scroll', way: 'bottom' }],
  ['scroll back up', { kind: 'scroll', way: 'up' }],
  ['log out', press('log out')],
  [
    'log in with email demo@example.com and password lantern-42',
    type('email', 'demo@example.com'),
    type('password', 'lantern-42'),
    press('log in'),
  ],
  ['what is the title?', read('title')],
  ["What's the price of the Dusk table lamp?", read('price', 'Dusk table lamp')],
  ['how much does the Oak board cost?', read('price', 'Oak board')],
  ['how many things are in the cart?', read('number', 'cart')],
  ['what is in the City field?', read('value', 'City')],
  ['remove the Oak board from the cart', say('remove Oak board')],
  ['save the changes', say('save changes')],
  ['pay now', say('pay now')],
  ['1. open Cart\n2. check out\n3) pay', open('Cart'), say('check out'), say('pay')],
  ['First search for lamps; finally scroll down', search('lamps'), { kind: 'scroll', way: 'down' }],
  [
    'Open Lighting. Scroll down. Click St. Gallen',
    open('Lighting'),
    { kind: 'scroll', way: 'down' },
    press('St. Gallen'),
  ],
  ['Could you please open the Reviews tab?', open('Reviews', { roles: ['tab'] })],
  ['make my page nicer', decline('make my page nicer')],
  ['book me a flight to wherever is warm', decline('book me a flight to wherever is warm')],
  ['click the blue one', decline('click the blue one')],
  ['solve the captcha', decline('solve the captcha')],
  ['compare the prices on both sites', decline('compare the prices on both sites')],
];

test.each(REQUESTS.map(([request, ...intents]) => ({ request, intents })))(
  '$request',
  ({ request, intents }) => {
    expect(intentsOf(request)).toEqual(intents);
  },
);

const GERMAN: ReadonlyArray<readonly [request: string, ...intents: Intent[]]> = [
  ['Suche nach Lampen und öffne das erste Ergebnis', search('Lampen'), open('Ergebnis', { ordinal: 1 })],
  ['Lege zwei Lampen in den Warenkorb', put(2, 'Lampen', 'Warenkorb')],
  ['Klicke auf „In den Warenkorb“', press('In den Warenkorb')],
  [
    'Fülle das Formular aus mit Name Ada, Stadt Paris und dann absenden',
    type('Name', 'Ada'),
    type('Stadt', 'Paris'),
    SUBMIT,
  ],
  ['Schreibe Hallo in Nachricht und drücke Senden', type('Nachricht', 'Hallo'), press('Senden')],
  ['Wähle Express als Lieferung aus', choose('Lieferung', 'Express')],
  ['Hake „Ich stimme zu“ an', tick('Ich stimme zu')],
  ['Melde mich ab', press('log out')],
  ['Was kostet die Sturmlaterne?', read('price', 'Sturmlaterne')],
  ['Gehe zu https://example.com', navigate('https://example.com')],
];

test.each(GERMAN.map(([request, ...intents]) => ({ request, intents })))(
  'in German: $request',
  ({ request, intents }) => {
    expect(intentsOf(request)).toEqual(intents);
  },
);

test('an answer gives values without a verb', () => {
  expect(valuesIn('name Ada, city Paris')).toEqual([type('name', 'Ada'), type('city', 'Paris')]);
});

test('does no part of a request that is too long', () => {
  expect(intentsOf(`open ${'a'.repeat(2_000)}`)).toEqual([decline('more than 2000 characters')]);
  expect(intentsOf('scroll down\n'.repeat(41))).toEqual([decline('more than 40 steps')]);
});

test('a request of punctuation asks for nothing', () => {
  expect(intentsOf(' … ?! ')).toEqual([]);
});
