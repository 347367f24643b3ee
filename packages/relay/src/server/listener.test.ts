import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createParseGuard } from './guard/parse-guard.ts';
import { listen } from './listener.ts';
import { createMetrics } from './metrics.ts';
import { RELAY_LIMITS } from './options.ts';

const metrics = createMetrics();
afterAll(metrics.close);
const PLAIN = { certificate: undefined, parsing: createParseGuard({ limits: RELAY_LIMITS, metrics }) };

const hasIpv6 = async (): Promise<boolean> => {
  const probe = createServer();
  probe.listen(0, '::1');
  const found = await Promise.race([
    once(probe, 'listening').then(() => true),
    once(probe, 'error').then(() => false),
  ]).catch(() => false);
  probe.close();
  return found;
};

test('a relay on 127.0.0.1 also holds its port on [::1], where browsers look for localhost first', async () => {
  const { server, port } = await listen(PLAIN, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());
  server.on('request', (_, response) => response.end('relay'));
  if (!(await hasIpv6())) return expect(server.listening).toBe(true);
  expect(await (await fetch(`http://[::1]:${port}/`)).text()).toBe('relay');
  const other = createServer().listen(port, '::1');
  const [error] = await once(other, 'error');
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
});

test('refuses a port that another program holds on [::1], and says what to do', async () => {
  if (!(await hasIpv6())) return expect(await hasIpv6()).toBe(false);
  const other = createServer().listen(0, '::1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(listen(PLAIN, { host: '127.0.0.1', port })).rejects.toThrow('taken by another program');
});
