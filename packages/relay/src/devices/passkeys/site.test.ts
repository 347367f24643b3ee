import { expect, test } from 'vitest';
import { expectRefusal } from '../../../test/devices/devices-harness.ts';
import { siteOf } from './site.ts';

test('the origin is the one the browser sees, also behind a TLS proxy', () => {
  expect(siteOf('http://relay.example.org/api', true)).toEqual({
    rp_id: 'relay.example.org',
    origin: 'https://relay.example.org',
    host: 'relay.example.org',
  });
  expect(siteOf('http://localhost:7717/api', false)).toMatchObject({
    rp_id: 'localhost',
    origin: 'http://localhost:7717',
  });
});

test('an IP address is refused: passkeys need a name', async () => {
  for (const host of ['127.0.0.1:7717', '192.0.2.7', '[::1]:7717', '[2001:db8::7]']) {
    await expectRefusal(() => siteOf(`https://${host}/`, true), 'passkey_needs_name');
  }
});
