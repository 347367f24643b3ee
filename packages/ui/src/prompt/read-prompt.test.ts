import { expect, test } from 'vitest';
import { de } from '../words/de.ts';
import { en } from '../words/en.ts';
import { headlineOf, readPrompt } from './read-prompt.ts';

const asked = (...lines: readonly string[]) => readPrompt(lines.join('\n'), en);

test("reads a browser's question line by line", () => {
  expect(
    asked(
      'element.click on “Pay 49 €” at https://pay.example. This can’t be undone.',
      'Where: https://pay.example',
      'Asked by: my-buyer',
      'In a frame on: Checkout · https://shop.example',
      'Sends to: https://bank.example/charge',
      'Amount: Total 49 €',
      'Price on the page: Arc lamp 24.50 €',
      'Goods: 2 × Arc lamp',
      'Changed while you were asked.',
      'Before: Total 48 €',
      'Now: Total 49 €',
      'Sends: "Quantity": "2"',
      'Sends: "CVC": •••',
      'Sends: "Iban" (hidden): empty',
      'Step: Filled in “Quantity”',
      '· "id": "7"',
      '· "modifiers": "Shift"',
      'This can’t be undone.',
    ),
  ).toEqual({
    asker: 'my-buyer',
    headline: 'Press “Pay 49 €”',
    covers: 'action',
    notes: [],
    origin: 'https://pay.example',
    frameOn: 'Checkout · https://shop.example',
    destination: 'https://bank.example/charge',
    amounts: ['Total 49 €'],
    prices: ['Arc lamp 24.50 €'],
    goods: ['2 × Arc lamp'],
    changed: { before: ['Total 48 €'], now: ['Total 49 €'], since: 'asked' },
    sends: ['Quantity: 2', 'CVC: •••', 'Iban (hidden): empty'],
    steps: ['Filled in “Quantity”'],
    data: ['modifiers: Shift'],
    isFinal: true,
    elementId: '7',
  });
});

test('describes a tool as its map does, in one sentence or more, with plain arguments', () => {
  const place = ['Where: https://shop.example', 'Tool: Puts a lamp into the cart. Of “each” kind, one.'];
  const data = ['· "quantity": 2', '· "note": "say \\"hi\\""'];
  expect(asked('cart.add at https://shop.example', ...place, ...data)).toMatchObject({
    headline: 'Use “Puts a lamp into the cart”',
    tool: 'Of “each” kind, one.',
    data: ['quantity: 2', '"note": "say \\"hi\\""'],
  });
  const short = asked(
    'cart.open at https://shop.example',
    'Where: https://shop.example',
    'Tool: Go to the cart.',
  );
  expect([short?.headline, short?.tool]).toEqual(['Use “Go to the cart”', undefined]);
});

test('tells a change since the last yes from one during the question', () => {
  const place = 'Where: https://pay.example';
  const lines = ['Changed since you last allowed it.', 'Before: "Payee": "Anna"', 'Now: "Payee": "Mallory"'];
  expect(asked('Send this form to pay.example?', place, ...lines)?.changed).toEqual({
    before: ['"Payee": "Anna"'],
    now: ['"Payee": "Mallory"'],
    since: 'allowed',
  });
});

test('reads a prompt of an earlier relay', () => {
  expect(
    asked(
      'element.click on “Pay 49 €” at https://shop.example, which may not be undone',
      'Where: https://shop.example',
      '· id: 7',
      '· card: ending 42',
      '· address: Harbour Street 1',
      'It may not be undone.',
    ),
  ).toMatchObject({
    headline: 'Press “Pay 49 €”',
    origin: 'https://shop.example',
    data: ['card: ending 42', 'address: Harbour Street 1'],
    isFinal: true,
    elementId: '7',
  });
});

test('keeps lines apart whatever name a page chose, and shows unknown lines as they are', () => {
  const name = 'x” at https://bank.example';
  expect(
    asked(`element.click on “${name}” at https://evil.example`, 'Where: https://evil.example'),
  ).toMatchObject({
    headline: `Press “${name}”`,
    origin: 'https://evil.example',
    isFinal: false,
  });
  expect(asked('cart.pay at https://shop.example', 'Where: https://shop.example')?.headline).toBe(
    'cart.pay at https://shop.example',
  );
  expect(
    asked('constructor on “x” at https://shop.example', 'Where: https://shop.example')?.headline,
  ).toContain('constructor on');
  expect(asked('Run npm publish?', 'in web-shop')).toBeUndefined();
});

test('puts the line of a list into words, and leaves other text', () => {
  const asked = 'element.click on “Pay 49 €” at https://pay.example. This can’t be undone.\nWhere: x';
  expect(headlineOf(asked, en)).toBe('Press “Pay 49 €”');
  expect(headlineOf('Run rm -rf build?\nIn /srv', en)).toBe('Run rm -rf build?');
  const tool =
    'cart.add at https://shop.example\nWhere: https://shop.example\nTool: Puts a lamp into the cart.';
  expect(headlineOf(tool, en)).toBe('Use “Puts a lamp into the cart”');
});

const HOST = 'shop.example';
const FORM = `Send this form to ${HOST}? A yes stands for this form while the tab is lent.`;

test.each([
  [FORM, ['· pressing: “Add to cart”'], 'Press “Add to cart”', '„Add to cart“ drücken', 1, 'form'],
  [FORM, [], `Send this form to ${HOST}?`, `Dieses Formular an ${HOST} senden?`, 0, 'form'],
  [
    `Send this form to ${HOST}? The page sends it by itself. A yes stands for this form while the tab is lent.`,
    ['· its button: “Go”'],
    `Send this form to ${HOST}?`,
    `Dieses Formular an ${HOST} senden?`,
    1,
    'form',
  ],
  [
    'Send the form “Pay” at https://shop.example? The page sends it by itself. This can’t be undone.',
    [],
    'Send the form “Pay”?',
    'Das Formular „Pay“ senden?',
    1,
    'action',
  ],
  [
    `Read pages of ${HOST}? A yes counts for this site while the tab is lent.`,
    [],
    `Read pages of ${HOST}?`,
    `Seiten von ${HOST} lesen?`,
    0,
    'site',
  ],
  [
    'browser.navigate at http://192.168.1.1, an address in your own network',
    ['· address: http://192.168.1.1', '· a yes counts for this address until the browser is closed'],
    'Open http://192.168.1.1, an address in your own network?',
    'http://192.168.1.1 öffnen, eine Adresse in deinem eigenen Netz?',
    0,
    'address',
  ],
  [
    `Let the agent use developer tools at ${HOST}: console, requests and their answers, and the names of cookies and storage keys`,
    ['· a yes counts for this site while the tab is lent'],
    `Let the agent use the developer tools at ${HOST}?`,
    `Den Agenten auf ${HOST} die Entwicklerwerkzeuge benutzen lassen?`,
    1,
    'site',
  ],
  [
    `Let the agent read values that ${HOST} stored in this browser`,
    ['· a yes counts for this site while the tab is lent'],
    `Let the agent read values that ${HOST} stored in this browser?`,
    `Den Agenten Werte lesen lassen, die ${HOST} in diesem Browser gespeichert hat?`,
    0,
    'site',
  ],
  ['element.click at https://shop.example', [], 'Press an element', 'Ein Element drücken', 0, 'action'],
  [
    'browser.navigate at https://shop.example',
    [],
    'Go to another page',
    'Zu einer anderen Seite gehen',
    0,
    'action',
  ],
])('says %s in both languages', (sentence, lines, english, german, notes, covers) => {
  const text = [sentence, `Where: https://${HOST}`, ...lines].join('\n');
  const read = readPrompt(text, en);
  expect(read).toMatchObject({ headline: english, covers, data: [] });
  expect(read?.notes).toHaveLength(notes);
  expect(readPrompt(text, de)?.headline).toBe(german);
  if (notes > 0) expect(readPrompt(text, de)?.notes).not.toEqual(read?.notes);
});
