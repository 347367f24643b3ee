import { expect, test } from 'vitest';
import { cannotLend } from './claim.ts';

test('pages of the web can be lent; what is the browser’s own cannot, and it is said why', () => {
  expect(cannotLend('https://shop.example/')).toBeUndefined();
  expect(cannotLend('http://127.0.0.1:3000/')).toBeUndefined();
  for (const url of [
    'chrome://settings/',
    'chrome-extension://abc/options.html',
    'about:blank',
    'file:///etc/passwd',
  ])
    expect(cannotLend(url), url).toBe('browser_page');
  expect(cannotLend('https://chromewebstore.google.com/detail/x')).toBe('web_store');
  expect(cannotLend('https://chrome.google.com/webstore/detail/x')).toBe('web_store');
  for (const hidden of [undefined, '']) expect(cannotLend(hidden)).toBe('not_seen');
});
