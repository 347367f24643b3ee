import { expect, test } from 'vitest';
import { startPostServer, subscribedBrowser } from '../../test/notifications/push-service.ts';
import { call } from '../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay } from '../../test/server/test-relay.ts';
import { createOutbound } from './outbound.ts';

const INSIDE = [
  'http://push.example/x',
  'https://127.0.0.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://localhost/x',
  'https://[::1]/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://[64:ff9b::a9fe:a9fe]/x',
  'https://10.1.2.3/x',
  'https://172.16.0.1/x',
  'https://192.168.1.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/x',
  'https://0.0.0.0/x',
  'https://router/x',
  'https://name:password@push.example/x',
  'file:///etc/passwd',
  'javascript:alert(1)',
  `https://push.example/${'x'.repeat(2_000)}`,
  'nothing',
];

test.each(INSIDE)('neither a device nor an owner can make the relay call %s', async (url) => {
  expect(createOutbound({ loopback: false }).problemOf(url)).toEqual(expect.any(String));
});

test('refuses a forbidden address when it is added', async () => {
  const relay = await startTestRelay();
  const [person, owner] = [await relay.mint('person'), await relay.mint('owner')];
  const service = await startPostServer();
  const { subscription } = subscribedBrowser(service);
  const refused = { status: 400, body: { error: { code: 'invalid_request' } } };
  for (const endpoint of [service.url, 'https://10.0.0.1/push']) {
    const body = { ...subscription, endpoint };
    expect(await call(relay, person, 'PUT /api/push/subscription', { body })).toMatchObject(refused);
    expect(await call(relay, owner, 'POST /api/webhooks', { body: { url: endpoint } })).toMatchObject(
      refused,
    );
  }
  const endpoint = 'https://push.example/1';
  const put = (keys: object) =>
    call(relay, person, 'PUT /api/push/subscription', { body: { endpoint, keys } });
  expect(await put(subscription.keys)).toMatchObject({ status: 200, body: { subscribed: true } });
  const offCurve = Buffer.alloc(65, 4).toString('base64url');
  expect(await put({ ...subscription.keys, p256dh: offCurve })).toMatchObject(refused);
  expect(await put({ ...subscription.keys, auth: 'short' })).toMatchObject(refused);
  expect(await put({})).toMatchObject(refused);
  expect(await put({ auth: 'x'.repeat(20_000) })).toMatchObject(refused);
  expect(
    await call(relay, owner, 'POST /api/webhooks', { body: { url: endpoint, kinds: ['all'] } }),
  ).toMatchObject(refused);
});

test('a name that resolves to an internal address is not called, even if another address is public', async () => {
  const service = await startPostServer();
  const { port } = new URL(service.url);
  const posting = { url: `https://push.example:${port}/x`, headers: {}, body: Buffer.from('x') };
  for (const addresses of [['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], []]) {
    const resolve = async () => addresses.map((address) => ({ address }));
    await expect(createOutbound({ loopback: false, resolve }).post(posting)).rejects.toThrow(
      'public internet',
    );
  }
  expect(service.posted).toEqual([]);
});
