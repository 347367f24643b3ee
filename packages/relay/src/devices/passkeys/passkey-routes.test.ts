import { expect, test } from 'vitest';
import { OURS, setUpApp } from '../../../test/devices/app-harness.ts';
import { newSigner } from '../../../test/devices/paired-browser.ts';
import { FAILURES_PER_MINUTE } from '../failure-limiter.ts';
import { CHALLENGES_AT_MOST } from './challenges.ts';
import { passkeysWrite } from './passkey.ts';

const part = { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', attestationObject: 'AA' };
const { key } = newSigner();
const guess = { attempt: 'guess', key, credential: { id: 'AA', rawId: 'AA', response: part } };

test('a caller who fails too often waits, and others do not', async () => {
  const { call, time } = await setUpApp();
  const sign = (address: string) => call('POST /api/passkeys/signin', { body: guess, origin: OURS, address });
  for (let at = 0; at < FAILURES_PER_MINUTE; at += 1) expect((await sign('192.0.2.1')).status).toBe(403);
  expect((await sign('192.0.2.1')).status).toBe(429);
  expect((await sign('192.0.2.2')).status).toBe(403);
  time.advance(60_000);
  expect((await sign('192.0.2.1')).status).toBe(403);
});

test('a caller who requests too many challenges waits', async () => {
  const { call } = await setUpApp();
  const ask = (address: string) =>
    call('POST /api/passkeys/signin/options', { body: {}, origin: OURS, address });
  for (let at = 0; at < FAILURES_PER_MINUTE; at += 1) expect((await ask('192.0.2.1')).status).toBe(201);
  expect((await ask('192.0.2.1')).status).toBe(429);
  expect((await ask('192.0.2.2')).body.options.rpId).toBe('relay.test');
});

test("strangers cannot use up the owners' challenges", async () => {
  const { call, add } = await setUpApp();
  const { token } = await add('owner');
  const ask = (at: number) =>
    call('POST /api/passkeys/signin/options', { body: {}, origin: OURS, address: `192.0.2.${at}` });
  for (let at = 0; at < CHALLENGES_AT_MOST; at += 1) expect((await ask(at)).status).toBe(201);
  expect((await ask(CHALLENGES_AT_MOST)).body.error.code).toBe('pairing_full');
  expect((await call('POST /api/passkeys/options', { body: {}, token })).status).toBe(201);
});

test('a page of another origin gets neither options nor a name, and a form is refused', async () => {
  const { call, addBrowser } = await setUpApp();
  const browser = await addBrowser('owner');
  const origin = 'https://evil.test';
  for (const path of ['signin', 'signin/options']) {
    const answer = await call(`POST /api/passkeys/${path}`, { body: guess, origin });
    expect(answer.body.error.code, path).toBe('wrong_origin');
    const form = await call(`POST /api/passkeys/${path}`, {
      ...{ body: '{}', origin: OURS },
      headers: { 'content-type': 'text/plain' },
    });
    expect(form.status, path).toBe(415);
  }
  const withProof = await call('POST /api/passkeys/options', { body: {}, browser, origin });
  expect(withProof.status).toBe(401);
});

test('refuses an invalid credential and names the missing field', async () => {
  const { call, add } = await setUpApp();
  const { token } = await add('owner');
  for (const [route, missing] of [
    ['POST /api/passkeys', 'attestationObject'],
    ['POST /api/passkeys/signin', 'signature'],
  ] as const) {
    const response = { ...part, [missing]: 7 };
    const body = { ...guess, credential: { ...guess.credential, response } };
    const answer = await call(route, { body, token });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(answer.text).toContain(missing);
    const none = await call(route, { body: { attempt: 'guess' }, token });
    expect(none).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  }
});

test('keeps at most twenty passkeys, and removing an unknown one fails', async () => {
  const { call, add, ledger } = await setUpApp();
  const { token, identity } = await add('owner');
  const key = { label: 'Key', rp_id: 'relay.test', created_at: 1, by: identity.device_id };
  const all = Array.from({ length: 20 }, (_, at) => ({
    ...{ ...key, id: `key${at}`, public_key: 'AA', counter: 0, transports: ['usb'] },
  }));
  await ledger.commit([passkeysWrite(all)]);
  expect((await call('POST /api/passkeys/options', { body: {}, token })).body.error.code).toBe(
    'passkeys_full',
  );
  expect((await call('DELETE /api/passkeys/nope', { token })).status).toBe(404);
  expect((await call('DELETE /api/passkeys/key3', { token })).status).toBe(204);
  const { options } = (await call('POST /api/passkeys/options', { body: {}, token })).body;
  expect(options.excludeCredentials).toHaveLength(19);
  expect(options.authenticatorSelection).toMatchObject({
    residentKey: 'required',
    userVerification: 'required',
  });
  const listed = await call('GET /api/passkeys', { token });
  expect(listed.body.passkeys[0]).toEqual({ ...key, id: 'key0' });
});
