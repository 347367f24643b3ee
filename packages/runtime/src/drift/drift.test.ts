import { describe, expect, test } from 'vitest';
import { likeness, overlap } from './likeness.ts';
import { lastTests, weakerSelectors, wordsOfSelector } from './selector-parts.ts';

describe('a broken selector', () => {
  test('is split into the tests of its last element', () => {
    const tests = lastTests("nav.you > a.link[href='/cart, x'], #b:not(.c)").map((each) =>
      each.map(({ kind, value }) => [kind, value]),
    );
    expect(tests).toEqual([
      [
        ['tag', 'a'],
        ['class', 'link'],
        ['attribute', '/cart, x'],
      ],
      [
        ['id', 'b'],
        ['other', ''],
      ],
    ]);
  });

  test('is tried without its ancestors, and under other attribute names', () => {
    const tried = weakerSelectors("#old [data-testid='add']").map(({ selector }) => selector);
    expect(tried).toContain('[data-testid="add"]');
    expect(tried).toContain('[id="add"]');
    expect(weakerSelectors('main > button')).toEqual([]);
    expect(weakerSelectors("[class='x']")).toEqual([]);
    expect(weakerSelectors('x-card >>> #old .buy')).toEqual([
      { selector: '.buy', worth: 0.7 },
      { selector: '.buy', worth: 0.45 },
    ]);
    expect(weakerSelectors('b[')).toEqual([]);
  });

  test('yields words', () => {
    expect(wordsOfSelector("form button[data-testid='add-to-cart'].primary")).toBe('add-to-cart primary');
  });
});

describe('likeness', () => {
  const target = { selector: "[data-testid='add-to-cart']", role: 'button', name: 'Add to cart' };

  test('grows with each matching property', () => {
    const score = (role: string, name: string) => likeness(target, 'cart.add', { role, name }).score;
    expect(score('button', 'Add to cart')).toBeGreaterThan(score('button', 'Add to basket'));
    expect(score('button', 'Add to basket')).toBeGreaterThan(score('button', 'Help'));
    expect(score('button', 'Add to cart')).toBeGreaterThan(score('link', 'Add to cart'));
    expect(score('link', 'Help')).toBe(0);
  });

  test('recognizes a link by its destination', () => {
    const link = { selector: "nav a[href='/cart']" };
    const led = likeness(link, '', { role: 'link', name: '🛒', href: 'https://shop.example/cart' });
    expect(led).toMatchObject({ because: 'it leads to the same address' });
    expect(led.score).toBeGreaterThan(likeness(link, '', { role: 'link', name: '🛒', href: '/help' }).score);
  });

  test('is the share of common words for texts, without stop words', () => {
    expect(overlap('addToCart', 'Add to cart')).toBe(1);
    expect(overlap('the button', 'the button')).toBe(0);
    expect(overlap('', 'a b')).toBe(0);
  });
});
