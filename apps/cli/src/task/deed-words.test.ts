import { expect, test } from 'vitest';
import { deedOf } from './deed-words.ts';

test.each([
  ['click(7)', 'Add to cart', 'Press “Add to cart”'],
  ['click(7)', undefined, 'Press element 7'],
  ['setValue("f2_7", "two \\"lamps\\"")', 'Search', 'Write “two "lamps"” into “Search”'],
  ['navigate("https://shop.example/")', undefined, 'Go to https://shop.example/'],
  ['call("cart.add", {"quantity":2})', undefined, 'Use cart.add {"quantity":2}'],
  ['call("cart.open", {})', undefined, 'Use cart.open'],
  ['scroll("top")', undefined, 'scroll("top")'],
  ['press(8, "Enter")', 'Search', 'press(8, "Enter") “Search”'],
  ['click(', 'Broken', 'click( “Broken”'],
  ['toString(1)', undefined, 'toString(1)'],
])('%s on %s: %s', (action, subject, words) => {
  expect(deedOf(action, subject)).toBe(words);
});
