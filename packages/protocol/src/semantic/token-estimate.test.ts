import { tokensOf } from '@drawbridge/testbed/tokens';
import { expect, test } from 'vitest';
import { cutToTokens, estimateTokens } from './token-estimate.ts';

test.each([
  'click 9 ok\n+31 btn Checkout\nsuccess: Added to cart\n> Row 12 | 3.50 € | 2026-01-31\n'.repeat(8),
  'The harbour froze twice that winter, and nobody could say when the ferry would leave again. '.repeat(5),
  'Der Hafen fror in jenem Winter zweimal zu, und niemand wusste, wann die Fähre wieder ablegen würde. ',
  'Port zamarzł tej zimy dwukrotnie i nikt nie potrafił powiedzieć, kiedy prom znów wypłynie. Dodaj do koszyka.',
  'Гавань дважды замерзала той зимой, и никто не мог сказать, когда паром снова отправится. Добавить в корзину.',
  '港はその冬に二度凍り、フェリーがいつ再び出発するのか誰にも分からなかった。カートに追加。ログイン。',
  '[{"id":7919,"x":1.7,"y":[1,2]},{"id":15838,"x":3.4,"y":[2,3]}]',
])('estimates from 10 %% below to 20 %% above o200k: %#', (text) => {
  const share = estimateTokens(text) / tokensOf(text);
  expect(share).toBeGreaterThan(0.9);
  expect(share).toBeLessThan(1.2);
});

test('cuts a text at a line, never inside a character', () => {
  expect(cutToTokens('short', 10)).toBe('short');
  expect(cutToTokens('one line\ntwo line\nthree', 4)).toBe('one line');
  expect(cutToTokens('one line that is long\nend', 4.5)).toBe('one line that is');
  expect(cutToTokens('😀'.repeat(10), 2)).toBe('😀😀😀');
  expect(cutToTokens('a'.repeat(5_000), 50)).toMatch(/^a{300,400}$/);
});
