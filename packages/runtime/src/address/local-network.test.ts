import { expect, test, vi } from 'vitest';
import { createLocalNetwork, isLocalAddress } from './local-network.ts';

test.each([
  'http://127.0.0.1:3000/',
  'http://localhost/',
  'http://app.localhost:8080/',
  'http://[::1]/',
  'http://0.0.0.0/',
  'http://[::ffff:192.168.1.1]/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'https://192.168.1.1/',
  'http://3232235777/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://printer.local/',
  'http://printer.local./',
  'http://vault.internal/',
  'http://nas/',
  'http://box.lan/',
  'http://router.home.arpa/',
])('%s is of a private network', (url) => expect(isLocalAddress(url)).toBe(true));

test.each([
  'https://shop.example/',
  'http://8.8.8.8/',
  'http://[2606:4700::1111]/',
  'http://172.32.0.1/',
  'https://localhost.example/',
  'https://local.example/',
  'about:blank',
  'data:text/html,x',
  'chrome-error://chromewebdata/',
  '',
])('%s is not', (url) => expect(isLocalAddress(url)).toBe(false));

test('[BRG-175] opens an origin with its port once and reports it', () => {
  const opened = vi.fn();
  const network = createLocalNetwork(['http://127.0.0.1:1'], opened);
  expect(network.isOpen('http://127.0.0.1:1/a')).toBe(true);
  expect(network.isOpen('http://127.0.0.1:2/a')).toBe(false);
  expect(network.isOpen('https://shop.example/')).toBe(true);
  network.open('http://127.0.0.1:2/b?c');
  network.open('http://127.0.0.1:2/');
  network.open('https://shop.example/');
  expect(network.isOpen('http://127.0.0.1:2/a')).toBe(true);
  const both = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
  expect(opened.mock.calls).toEqual([[both], [[...both, 'https://shop.example']]]);
});
