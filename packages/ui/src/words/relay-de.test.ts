import { expect, test } from 'vitest';
import { dueTime } from '../time-words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { relayDe } from './relay-de.ts';

test.each([
  ['Pressed “Add to cart” on shop.example.', 'Hat „Add to cart“ gedrückt, auf shop.example.'],
  ['Presses “In the cart” on 127.0.0.1:7720…', 'Drückt „In the cart“, auf 127.0.0.1:7720…'],
  ['Pressed twice element e7.', 'Hat Element e7 doppelt gedrückt.'],
  ['Looked at the page on shop.example.', 'Hat die Seite angesehen, auf shop.example.'],
  [
    'Opened another page at https://shop.example on shop.example.',
    'Hat eine andere Seite geöffnet, https://shop.example, auf shop.example.',
  ],
  [
    'Done: Pressed “Pay 49 €”. The page says: “Thank you. The page says: “.',
    'Getan: Hat „Pay 49 €“ gedrückt. Die Seite sagt: “Thank you. The page says: “.',
  ],
  [
    'Not done: Presses “Pay” on shop.example. Denied by Phone. click was not permitted.',
    'Nicht getan: Drückt „Pay“, auf shop.example. Abgelehnt von Phone. click was not permitted.',
  ],
  [
    'Waits until you give the browser back, and then looks again first: Uses “cart.add” on shop.example…',
    'Wartet, bis du den Browser zurückgibst, und sieht dann zuerst wieder nach: Benutzt „cart.add“, auf shop.example…',
  ],
  ['Phone took over the browser. The agent waits.', 'Phone hat den Browser übernommen. Der Agent wartet.'],
  ['Pressed for time, I stop.', 'Pressed for time, I stop.'],
])('%s', (english, german) => {
  expect(relayDe(english)).toBe(german);
});

test('names a choice in German', () => {
  expect(de.prompt.answered('Phone', 'Deny')).toBe('Phone hat geantwortet: Ablehnen');
  expect(de.prompt.expiredWith('Ship it')).toBe('Abgelaufen: Ship it');
});

test('has the date of a time on another day', () => {
  const now = new Date(2026, 10, 19, 18).getTime();
  expect(dueTime(now, now, en)).toMatch(/^6:00\sPM$/);
  expect(dueTime(now + 86_400_000, now, en)).toMatch(/^Nov 20, 2026, 6:00\sPM$/);
});
