import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { readClientBundle } from './client-bundle.ts';
import { startShop } from './server.ts';

test('two addresses of two hosts, closed more than once', async () => {
  const shop = await startShop();
  expect(new URL(shop.url).hostname).toBe('127.0.0.1');
  expect(new URL(shop.payUrl).hostname).toBe('localhost');
  expect((await fetch(shop.url)).status).toBe(200);
  await shop.close();
  await shop.close();
  await expect(fetch(shop.url)).rejects.toThrow();
});

test('a port that is taken is refused and leaves nothing open', async () => {
  const first = await startShop();
  const payPort = Number(new URL(first.payUrl).port);
  await expect(startShop({ payPort })).rejects.toThrow('EADDRINUSE');
  await first.close();
});

test('the content is the same on every start', async () => {
  const read = async (path: string) => {
    const shop = await startShop();
    const text = await (await fetch(`${shop.url}${path}`)).text();
    await shop.close();
    return text;
  };
  expect(await read('/')).toBe(await read('/'));
  expect(await read('/api/rows?from=9901')).toBe(await read('/api/rows?from=9901'));
});

test('carts are emptied for their visitors, and a reset forgets these', async () => {
  const shop = await startShop();
  const added = await fetch(`${shop.url}/cart/add`, {
    method: 'POST',
    body: new URLSearchParams({ product: 'storm-lantern' }),
    headers: { accept: 'application/json' },
  });
  const cookie = added.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const count = async () =>
    (await (await fetch(`${shop.url}/api/cart`, { headers: { cookie } })).json()).count;
  expect(await count()).toBe(1);
  shop.emptyCarts();
  expect(await count()).toBe(0);
  const body = new URLSearchParams({ product: 'storm-lantern' });
  await fetch(`${shop.url}/cart/add`, { method: 'POST', body, headers: { cookie } });
  expect(await count()).toBe(1);
  shop.reset();
  expect(await count()).toBe(0);
  await shop.close();
});

test('a body that is too large is refused', async () => {
  const shop = await startShop();
  const answer = await fetch(`${shop.url}/corners/upload`, {
    method: 'POST',
    body: new Uint8Array(9 * 1024 * 1024),
  });
  expect(answer.status).toBe(413);
  await shop.close();
});

test('the bundle is built once and then read', async () => {
  const first = await readClientBundle();
  const second = await readClientBundle();
  expect(second.hash).toBe(first.hash);
  expect([...second.files.keys()]).toEqual([...first.files.keys()]);
  expect(first.files.has('shell.js')).toBe(true);
});

test('as a program it prints its address and closes on Ctrl-C', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--port', '0']);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const address = String((await lines.next()).value).match(/http:\S+/)?.[0] ?? '';
  expect((await fetch(`${address}/corners`)).status).toBe(200);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
