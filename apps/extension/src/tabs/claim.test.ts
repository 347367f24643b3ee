import { createControlPlane } from '@drawbridge/runtime';
import { expect, test } from 'vitest';
import { cannotLend } from './claim.ts';

const plane = createControlPlane(['127.0.0.1:7717']);

test('web pages can be lent; the browser’s own pages are refused with a reason', () => {
  expect(cannotLend('https://shop.example/', plane)).toBeUndefined();
  expect(cannotLend('http://127.0.0.1:3000/', plane)).toBeUndefined();
  for (const url of [
    'chrome://settings/',
    'chrome-extension://abc/options.html',
    'about:blank',
    'file:///etc/passwd',
  ])
    expect(cannotLend(url, plane), url).toBe('browser_page');
  expect(cannotLend('https://chromewebstore.google.com/detail/x', plane)).toBe('web_store');
  expect(cannotLend('https://chrome.google.com/webstore/detail/x', plane)).toBe('web_store');
  for (const hidden of [undefined, '']) expect(cannotLend(hidden, plane)).toBe('not_seen');
  for (const url of ['http://127.0.0.1:7717/', 'http://localhost:7717/x', 'http://drawbridge.localhost:9/'])
    expect(cannotLend(url, plane), url).toBe('control_plane');
});
