import { expect, test } from 'vitest';
import { startPasskeyRelay } from '../../../test/devices/passkeys/passkey-relay.ts';

test('an owner adds a passkey, and another browser with the passkey signs in as an owner', async () => {
  const relay = await startPasskeyRelay();
  const owner = await relay.withPasskey();
  const adder = (await owner.ask('GET /api/me')).body.device_id;
  const { body } = await owner.ask('GET /api/passkeys');
  expect(body.passkeys).toEqual([
    {
      id: expect.any(String),
      label: expect.stringContaining('Browser on'),
      rp_id: 'localhost',
      created_at: expect.any(Number),
      by: adder,
    },
  ]);
  expect(body.note).toContain('stays when the device that added it is revoked');

  const other = await relay.browse();
  await owner.copyTo(other);
  expect((await other.ask('GET /api/me')).status).toBe(401);
  await other.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await other.page.getByText('This device is paired').waitFor();
  const me = (await other.ask('GET /api/me')).body;
  expect(me).toMatchObject({ roles: ['owner'], scopes: [] });
  expect(me.device_id).not.toBe(adder);
  await other.page.getByRole('button', { name: 'Add a passkey' }).waitFor();

  const [{ id }] = body.passkeys;
  expect((await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 3)).toReversed()).toMatchObject([
    { action: 'passkey_added', device_id: adder, subject: id, detail: { rp_id: 'localhost' } },
    { action: 'device_added', subject: me.device_id, detail: { how: 'passkey', roles: ['owner'] } },
    { action: 'passkey_used', device_id: me.device_id, subject: id },
  ]);

  await relay.devices.revoke(me.device_id, 'machine');
  expect((await other.ask('GET /api/me')).status).toBe(401);
});

test('a passkey survives a restart and its device, until an owner removes it', async () => {
  const relay = await startPasskeyRelay();
  const owner = await relay.withPasskey();
  await owner.page.getByRole('button', { name: 'Sign this device out' }).click();
  await owner.page.getByText('This device is not paired yet').waitFor();
  await relay.close();

  const again = await startPasskeyRelay({ data: relay.data, port: relay.port });
  await owner.page.reload();
  await owner.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await owner.page.getByText('This device is paired').waitFor();

  await owner.page.getByRole('button', { name: 'Remove' }).click();
  await owner.page.getByRole('button', { name: 'Remove' }).waitFor({ state: 'detached' });
  const [entry] = await again.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1);
  const me = (await owner.ask('GET /api/me')).body;
  expect(entry).toMatchObject({ action: 'passkey_removed', device_id: me.device_id });

  const answer = await owner.ask('POST /api/passkeys/signin', await owner.signature());
  expect(answer).toMatchObject({ status: 403, body: { error: { code: 'passkey_refused' } } });
});

test('one authenticator is added once', async () => {
  const relay = await startPasskeyRelay();
  const owner = await relay.withPasskey();
  await owner.page.getByRole('button', { name: 'Add a passkey' }).click();
  await owner.page.getByRole('status').getByText('already registered').waitFor();
  expect((await owner.ask('GET /api/passkeys')).body.passkeys).toHaveLength(1);
});

test('only owners are offered passkeys or may use their routes', async () => {
  const relay = await startPasskeyRelay();
  const owner = await relay.withPasskey();
  const [{ id }] = (await owner.ask('GET /api/passkeys')).body.passkeys;
  const { attempt, options } = (await relay.confirmed(owner, 'POST /api/passkeys/options', {})).body;
  const unauthenticated = await relay.browse();
  const person = await relay.paired('person');
  expect(await person.page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false);
  const credential = await person.create({ ...options, excludeCredentials: [] });
  const all = [
    ['GET /api/passkeys'],
    ['POST /api/passkeys/options', {}],
    ['POST /api/passkeys', { attempt, credential }],
    [`DELETE /api/passkeys/${id}`],
  ] as const;
  for (const [route, body] of all) {
    expect((await person.ask(route, body)).status, route).toBe(403);
    expect((await unauthenticated.ask(route, body)).status, route).toBe(401);
  }
  expect((await owner.ask('GET /api/passkeys')).body.passkeys).toHaveLength(1);
});

test('a stranger who asks to sign in learns nothing about the passkeys', async () => {
  const relay = await startPasskeyRelay();
  const unauthenticated = await relay.browse();
  const shape = async () => {
    const { body } = await unauthenticated.ask('POST /api/passkeys/signin/options', {});
    const { challenge, ...rest } = body.options;
    expect(challenge).toMatch(/^[\w-]{43}$/);
    return rest;
  };
  const before = await shape();
  expect(before).toEqual({ rpId: 'localhost', userVerification: 'required', timeout: 300_000 });
  await relay.withPasskey();
  expect(await shape()).toEqual(before);
});

test('under an IP address the page says where passkeys work, and the relay gives no options', async () => {
  const relay = await startPasskeyRelay();
  const browser = await relay.browse(relay.url);
  await browser.page.getByText(`where the relay runs, open http://localhost:${relay.port}.`).waitFor();
  expect(await browser.page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
  const answer = await browser.ask('POST /api/passkeys/signin/options', {});
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'passkey_needs_name' } } });
});
