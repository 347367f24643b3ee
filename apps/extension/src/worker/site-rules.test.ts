import { createGrantBook } from '@drawbridge/runtime';
import { expect, test } from 'vitest';
import { askingBook, refusalAt, ruleFor } from './site-rules.ts';

const sites = [
  { origin: 'https://bank.example', rule: 'never' as const },
  { origin: 'https://shop.example', rule: 'ask' as const },
  { origin: 'https://both.example', rule: 'ask' as const },
  { origin: 'https://both.example', rule: 'never' as const },
];

test('a rule covers one origin, and never overrides', () => {
  expect(ruleFor('https://bank.example/account?x', { sites })).toBe('never');
  expect(ruleFor('https://both.example/', { sites })).toBe('never');
  for (const url of [
    'https://bank.example.evil.test/',
    'http://bank.example/',
    'https://a.bank.example/',
    'x',
  ])
    expect(ruleFor(url, { sites }), url).toBeUndefined();
  expect(refusalAt('https://bank.example/', { sites })).toContain('https://bank.example');
  expect(refusalAt('https://shop.example/', { sites })).toBeUndefined();
});

test('with an ask rule, loans and permanent grants cover reading only', () => {
  let ids = 0;
  const book = createGrantBook({ now: () => 0, newId: () => `g${++ids}` });
  book.lend('chrome-tab:1', 'the person');
  book.add({ origin: 'https://shop.example', covers: { name: 'cart.add', effect: 'act' }, by: 'the person' });
  const asking = askingBook(book, () => ({ sites }));
  const request = { runtime_key: 'chrome-tab:1', name: 'cart.add' };
  expect(asking.find({ ...request, origin: 'https://shop.example', effect: 'act' })).toBeUndefined();
  expect(asking.find({ ...request, origin: 'https://shop.example', effect: 'read' })).toBeDefined();
  expect(asking.find({ ...request, origin: 'https://other.example', effect: 'act' })).toBeDefined();
  expect(asking.list()).toEqual(book.list());
});
