import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFunctionNames } from './function-names.ts';

const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const long = `shop.${'very_'.repeat(20)}long`;

test.each([
  ['search', 'search'],
  ['cart.add', 'cart__add'],
  ['browser.claimed_tabs.list', 'browser__claimed_tabs__list'],
  ['Æble køb', '_ble_k_b'],
])('[BRG-151] %s is %s', (action, name) => {
  const names = createFunctionNames(['other', action]);
  expect(names.toFunction(action)).toBe(name);
  expect(names.toAction(name)).toBe(action);
});

test('[BRG-151] keeps a valid name, even where another would map to it', () => {
  const names = createFunctionNames(['cart.add', 'cart__add']);
  expect(names.toFunction('cart__add')).toBe('cart__add');
  expect(names.toFunction('cart.add')).toMatch(/^cart__add_[0-9a-f]{8}$/);
});

test('[BRG-151] does not know other names in either direction', () => {
  const names = createFunctionNames(['cart.add']);
  expect(names.toFunction('cart.remove')).toBeUndefined();
  expect(names.toAction('cart__remove')).toBeUndefined();
  expect(names.toAction('cart.add')).toBeUndefined();
});

test('[BRG-151] maps any names to valid, unique and reversible ones, in any order', () => {
  const name = fc.oneof(
    fc.stringMatching(/^[a-z_.-]{1,6}$/),
    fc.string({ minLength: 1, maxLength: 80 }),
    fc.constantFrom('a.b', 'a__b', 'a..b', 'a.b.c', 'a__b.c', long, `${long}er`),
  );
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (actions) => {
      const names = createFunctionNames(actions);
      const given = [...new Set(actions)].map((action) => names.toFunction(action) ?? '');
      expect(new Set(given).size).toBe(given.length);
      for (const made of given) expect(made).toMatch(FUNCTION_NAME);
      expect(given.map(names.toAction)).toEqual([...new Set(actions)]);
      const turned = createFunctionNames(actions.toReversed());
      expect(actions.map(turned.toFunction)).toEqual(actions.map(names.toFunction));
    }),
    { numRuns: 2_000, seed: 3 },
  );
});
