import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startNats } from './nats.ts';

/** First line of a server, or the error code of the connection. */
async function greeting(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['closed'])]);
    return String(data).slice(0, 4);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  } finally {
    socket.destroy();
  }
}

test('an own server is stopped and started at the same address', async () => {
  await using nats = await startNats();
  expect(await greeting(nats.url)).toBe('INFO');
  await nats.stop();
  expect(await greeting(nats.url)).toBe('ECONNREFUSED');
  await nats.start();
  expect(await greeting(nats.url)).toBe('INFO');
});

test('a given server is not stopped; the connection to it is cut', async () => {
  await using given = await startNats();
  await using nats = await startNats({ DRAWBRIDGE_TEST_NATS: given.url });
  expect(await greeting(nats.url)).toBe('INFO');
  await nats.stop();
  expect(await greeting(nats.url)).toBe('ECONNREFUSED');
  expect(await greeting(given.url)).toBe('INFO');
  await nats.start();
  expect(await greeting(nats.url)).toBe('INFO');
});
