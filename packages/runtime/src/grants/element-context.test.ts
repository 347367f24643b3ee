import { expect, test } from 'vitest';
import { effectOfPress, effectOfWords, readElementContext } from './element-context.ts';

const plain = { submits: false, sensitive: false, secret: false };

test.each([
  'Pay the 99 € fee',
  'Close the account',
  'Send the saved card',
  'Delete the list',
  'Place your order',
  'Buy now',
  'Jetzt kaufen',
  'Zahlungspflichtig bestellen',
  'Supprimer',
  'Publish',
])('[BRG-128] pressing “%s” asks', (label) => {
  expect(effectOfPress({ ...plain, label })).toBe('irreversible');
});

test.each([
  'Add to cart',
  'Search',
  'Next',
  'Payments help centre',
  'Sender address',
  'Posters',
  'Repay later',
])('[BRG-128] pressing “%s” does not', (label) => {
  expect(effectOfPress({ ...plain, label })).toBe('act');
});

test('[BRG-128] asks before sending a form with a password or a card, whatever its button is called', () => {
  expect(effectOfPress({ submits: true, sensitive: true, secret: false, label: 'Go' })).toBe('irreversible');
  expect(effectOfPress({ submits: true, sensitive: false, secret: false, label: 'Go' })).toBe('act');
});

test('[BRG-128] counts each text of an element and all of them joined', () => {
  expect(effectOfPress({ ...plain, label: 'Next', words: ['Next', 'Pay 500 EUR'] })).toBe('irreversible');
  expect(effectOfPress({ ...plain, label: 'Next', words: ['Next', 'Post'] })).toBe('irreversible');
  expect(effectOfPress({ ...plain, label: 'Place', words: ['Place', 'order'] })).toBe('irreversible');
  expect(effectOfPress({ ...plain, label: 'Next', words: ['Next', 'Page 2'] })).toBe('act');
});

test('reads missing facts as the strictest', () => {
  for (const nothing of [undefined, null, 'no', [], 7]) {
    expect(effectOfPress(readElementContext(nothing))).toBe('irreversible');
  }
  expect(readElementContext({})).toEqual({ submits: true, sensitive: true, secret: true });
});

test.each([
  'delete_row',
  'deleteRow',
  'tidy Deletes the row',
  'x Sends an email',
  'x Publishing a note',
  'checkout',
  'x löschen',
])('[BRG-158] a tool of a page that says “%s” asks', (words) => {
  expect(effectOfWords(words)).toBe('irreversible');
});

test.each(['add_to_cart', 'searchFlights', 'list Shows the rows', 'poster', 'x Read only'])(
  '[BRG-158] a tool of a page that says “%s” acts',
  (words) => {
    expect(effectOfWords(words)).toBe('act');
  },
);
