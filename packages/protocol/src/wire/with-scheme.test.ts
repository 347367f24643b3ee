import { expect, test } from 'vitest';
import { withScheme } from './with-scheme.ts';

test.each([
  ['shop.example', 'https://shop.example'],
  ['shop.example/lamps?q=1#top', 'https://shop.example/lamps?q=1#top'],
  ['shop.example:8443/lamps', 'https://shop.example:8443/lamps'],
  ['localhost', 'http://localhost'],
  ['localhost:3000/a', 'http://localhost:3000/a'],
  ['app.dev.localhost:3000', 'http://app.dev.localhost:3000'],
  ['127.0.0.1:7720', 'http://127.0.0.1:7720'],
  ['10.0.0.7/a', 'http://10.0.0.7/a'],
  ['172.16.0.2', 'http://172.16.0.2'],
  ['192.168.1.7', 'http://192.168.1.7'],
  ['[::1]:7720', 'http://[::1]:7720'],
  // Names that only begin like a local address.
  ['localhost.example', 'https://localhost.example'],
  ['10.example', 'https://10.example'],
  ['172.32.0.2', 'https://172.32.0.2'],
  // Complete addresses stay as they are.
  ['http://shop.example', 'http://shop.example'],
  ['HTTPS://shop.example', 'HTTPS://shop.example'],
  ['about:blank', 'about:blank'],
  ['data:text/html,hi', 'data:text/html,hi'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
])('%s is %s', (typed, address) => {
  expect(withScheme(typed)).toBe(address);
});
