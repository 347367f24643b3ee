import { singleMap } from '@drawbridge/runtime';
import { expect, test } from 'vitest';
import { startTestRelay } from '../../../test/server/test-relay.ts';

const MAP = {
  ...{ protocol: 'actions.json', version: 1 },
  surface: { origin: 'https://shop.example' },
  tools: [{ name: 'cart.add', description: 'Adds.', input_schema: {}, x_actions: { handler: 'add' } }],
};

test('a browser without maps gets those of the relay, with their trust level', async () => {
  const relay = await startTestRelay({ maps: singleMap(MAP, 'shared') });
  const ask = async (token: string, url: string) => {
    const response = await fetch(`${relay.url}/api/maps/for?url=${encodeURIComponent(url)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: response.status, body: await response.json() };
  };
  const runtime = await relay.mint('runtime');
  expect(await ask(runtime.token, 'https://shop.example/lamps')).toMatchObject({
    status: 200,
    body: { map: { tools: [{ name: 'cart.add' }] }, trust: 'shared', tool_trust: { 'cart.add': 'shared' } },
  });
  expect(await ask(runtime.token, 'https://other.example/')).toMatchObject({ status: 404 });
  expect(await ask(runtime.token, 'no address')).toMatchObject({ status: 400 });
  const agent = await relay.mint('agent');
  expect(await ask(agent.token, 'https://shop.example/')).toMatchObject({ status: 403 });
  const bare = await startTestRelay();
  const other = await bare.mint('runtime');
  const response = await fetch(`${bare.url}/api/maps/for?url=https://shop.example/`, {
    headers: { authorization: `Bearer ${other.token}` },
  });
  expect(response.status).toBe(404);
});

test('[INT-71] an extension pairs and calls from its own Origin, and no page does', async () => {
  const relay = await startTestRelay();
  const invite = () =>
    relay.devices.invitations.create({
      ...{ roles: ['runtime', 'person'] as const, scopes: [], label: 'Chrome', by: 'machine' as const },
    });
  const pair = (origin: string, secret: string, as = 'token') =>
    fetch(`${relay.url}/api/pair`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ secret, as }),
    });
  const { secret } = await invite();
  for (const origin of ['http://evil.test', 'null', 'chrome-extension://a.evil.test'])
    expect((await pair(origin, secret)).status, origin).toBe(403);
  const origin = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
  expect((await pair(origin, secret, 'browser')).status).toBe(403);
  const paired = await pair(origin, secret);
  expect([paired.status, paired.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  const { token, roles } = await paired.json();
  expect(roles).toEqual(['person', 'runtime']);
  const me = (headers: Record<string, string>, method = 'GET') =>
    fetch(`${relay.url}/api/me`, { method, headers: { origin, ...headers } });
  expect((await me({ 'access-control-request-headers': 'authorization' }, 'OPTIONS')).status).toBe(204);
  expect((await me({ authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await me({})).status).toBe(401);
});
