import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openOwnShop } from './own-shop.ts';

async function freePort(): Promise<{ readonly port: number; readonly free: () => Promise<unknown> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const free = async () => server.close() && once(server, 'close');
  return { port: address.port, free };
}

test('opens the shop at the port of the guides, and at another one only when that is taken', async () => {
  const { port, free } = await freePort();
  const elsewhere = await openOwnShop(port);
  onTestFinished(() => elsewhere.close());
  expect(elsewhere.url).not.toContain(`:${port}`);
  expect(elsewhere.elsewhere).toContain(`Port ${port} is in use by another program`);
  await free();
  const shop = await openOwnShop(port);
  onTestFinished(() => shop.close());
  expect(shop.url).toBe(`http://127.0.0.1:${port}`);
  expect(shop).not.toHaveProperty('elsewhere');
});
