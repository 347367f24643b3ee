import { describe, expect, test, vi } from 'vitest';
import { createControlPlane } from './control-plane.ts';

const LOOPBACK = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'app.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '127.1',
  '127.0.0.2',
  '0x7f.0.0.1',
  '2130706433',
  '0.0.0.0',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0.0.0.0]',
  '[::127.0.0.1]',
];

describe('a relay at 127.0.0.1:7717, also reached as relay.example', () => {
  const plane = createControlPlane(['127.0.0.1:7717', 'relay.example', '192.168.1.5:7717', '[fd00::5]:7717']);

  test.each(LOOPBACK)('has its port at %s', (name) => {
    for (const scheme of ['http', 'https', 'ws', 'wss'])
      expect(plane.has(`${scheme}://${name}:7717/devices`)).toBe(true);
    expect(plane.has(`http://${name}:7720/`)).toBe(false);
  });

  test.each([
    'https://relay.example/',
    'http://relay.example/',
    'https://RELAY.example./#pair=x',
    'https://user@relay.example/',
    'http://192.168.1.5:7717/',
    'http://[fd00:0::5]:7717/',
    'blob:http://127.0.0.1:7717/0b',
    'view-source:http://127.0.0.1:7717/',
  ])('has %s', (url) => expect(plane.has(url)).toBe(true));

  test.each([
    'https://relay.example:8443/',
    'https://relay.example.evil.test/',
    'https://shop.example/?to=http://127.0.0.1:7717/',
    'http://192.168.1.6:7717/',
    'about:blank',
    'data:text/html,relay.example',
    '',
    'no address',
  ])('does not have %s', (url) => expect(plane.has(url)).toBe(false));
});

test('refuses its own name on every port without learning a host', () => {
  const plane = createControlPlane();
  for (const url of [
    'http://drawbridge.localhost/',
    'http://drawbridge.localhost:3000/',
    'https://drawbridge.localhost:8443/',
    'http://DRAWBRIDGE.localhost.:5173/',
    'http://a.drawbridge.localhost:1/',
  ])
    expect(plane.has(url), url).toBe(true);
  for (const url of [
    'http://localhost:3000/',
    'http://drawbridge.localhost.evil.test/',
    'http://xdrawbridge.localhost/',
  ])
    expect(plane.has(url), url).toBe(false);
});

test('treats a name without a port as the default port of both schemes only', () => {
  const plane = createControlPlane(['relay.example']);
  expect(plane.has('http://relay.example:80/')).toBe(true);
  expect(plane.has('https://relay.example:443/')).toBe(true);
  expect(plane.has('http://relay.example:443/')).toBe(true);
  expect(plane.has('http://relay.example:81/')).toBe(false);
});

test('counts names learned later and reports each once', () => {
  const plane = createControlPlane(['relay.example']);
  const changed = vi.fn();
  plane.onChange(changed);
  expect(plane.has('http://10.0.0.2:7717/')).toBe(false);
  plane.learn(['10.0.0.2:7717', 'localhost:7717']);
  plane.learn(['10.0.0.2:7717']);
  expect(changed).toHaveBeenCalledTimes(1);
  expect(plane.has('http://10.0.0.2:7717/')).toBe(true);
  expect(plane.has('http://127.0.0.1:7717/')).toBe(true);
  expect(plane.has('https://relay.example/')).toBe(true);
});

test('learns nothing from text that is not a host', () => {
  const plane = createControlPlane(['', ' ', 'a b', 'http://x']);
  expect(plane.has('http://x/')).toBe(false);
});
