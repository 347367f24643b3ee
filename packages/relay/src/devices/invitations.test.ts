import { expect, test } from 'vitest';
import { expectRefusal, setUp, TODAY } from '../../test/devices/devices-harness.ts';
import { newSigner } from '../../test/devices/paired-browser.ts';
import type { NewBrowser } from './register.ts';

const PERSON = { roles: ['person'], scopes: ['session:a'], label: 'Phone', by: 'machine' } as const;

test('a link makes one device with the access its inviter chose, also after a restart', async () => {
  const { devices, again } = await setUp();
  const { secret, pair_path, expires_at } = await devices.invitations.create(PERSON);
  expect(pair_path).toBe(`/#pair=${secret}`);
  expect(expires_at).toBe(TODAY + 600_000);
  const later = await again();
  const { device, token } = await later.invitations.claim(secret);
  expect(device).toMatchObject({ roles: ['person'], scopes: ['session:a'], label: 'Phone' });
  expect(await later.authenticate(token)).toMatchObject({ device_id: device.device_id });
});

test('the new device may choose its label', async () => {
  const { devices } = await setUp();
  const { secret } = await devices.invitations.create(PERSON);
  expect(await devices.invitations.claim(secret, 'Tablet')).toMatchObject({ device: { label: 'Tablet' } });
});

test.each(['agent', 'proxy', 'runtime'] as const)('a new %s keeps the label of its link', async (role) => {
  const { devices } = await setUp();
  const { secret } = await devices.invitations.create({
    ...PERSON,
    roles: [role],
    scopes: [],
    label: 'Helper',
  });
  expect(await devices.invitations.claim(secret, 'The owner’s phone')).toMatchObject({
    device: { label: 'Helper' },
  });
});

test('a link is used once, also by two at the same moment, and after a restart', async () => {
  const { devices, again } = await setUp();
  const { secret } = await devices.invitations.create(PERSON);
  const claim = async () => devices.invitations.claim(secret);
  const both = await Promise.allSettled([claim(), claim(), claim()]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expectRefusal(claim, 'pairing_not_found');
  const later = await again();
  await expectRefusal(() => later.invitations.claim(secret), 'pairing_not_found');
  expect(await later.list()).toHaveLength(2);
});

test('[CHT-347] a browser repeats its claim with the same key and stays one device; others cannot', async () => {
  const { devices, time } = await setUp();
  const { secret } = await devices.invitations.create(PERSON);
  const [key, other] = [newSigner().key, newSigner().key];
  const claim = async (browser?: NewBrowser) => devices.invitations.claim(secret, undefined, browser);
  const [first, second] = await Promise.all([claim({ key }), claim({ key })]);
  expect(second).toEqual(first);
  expect(await claim({ key })).toEqual(first);
  await expectRefusal(() => claim({ key: other }), 'pairing_not_found');
  await expectRefusal(() => claim(), 'pairing_not_found');
  expect((await devices.list()).filter(({ label }) => label === 'Phone')).toHaveLength(1);
  time.advance(600_000);
  await expectRefusal(() => claim({ key }), 'pairing_not_found');
});

test('[CHT-347] a revoked browser does not repeat its claim', async () => {
  const { devices } = await setUp();
  const { secret } = await devices.invitations.create(PERSON);
  const { key } = newSigner();
  const { device } = await devices.invitations.claim(secret, undefined, { key });
  await devices.revoke(device.device_id, 'machine');
  await expectRefusal(async () => devices.invitations.claim(secret, undefined, { key }), 'pairing_not_found');
});

test('a link expires after ten minutes', async () => {
  const { devices, time } = await setUp();
  const [early, late] = [await devices.invitations.create(PERSON), await devices.invitations.create(PERSON)];
  time.advance(599_999);
  expect(await devices.invitations.claim(early.secret)).toBeDefined();
  time.advance(1);
  await expectRefusal(() => devices.invitations.claim(late.secret), 'pairing_not_found');
});

test('refuses a malformed or unknown secret', async () => {
  const { devices } = await setUp();
  await devices.invitations.create(PERSON);
  for (const secret of ['', 'x', '__proto__', 'A'.repeat(43)]) {
    await expectRefusal(() => devices.invitations.claim(secret), 'pairing_not_found');
  }
});

test('only owners create links, and no link outlives its inviter', async () => {
  const { devices, add, again } = await setUp();
  const [owner, person] = [await add('owner'), await add('person')];
  await expectRefusal(() => devices.invitations.create({ ...PERSON, by: person.identity }), 'forbidden');
  const { secret } = await devices.invitations.create({ ...PERSON, by: owner.identity });
  await devices.revoke(owner.identity.device_id, 'machine');
  await expectRefusal(() => devices.invitations.claim(secret), 'pairing_not_found');
  const later = await again();
  await expectRefusal(() => later.invitations.claim(secret), 'pairing_not_found');
});

test('a crash right after the revocation brings no link back', async () => {
  const { devices, add, again, ledger } = await setUp();
  const owner = await add('owner');
  const { secret } = await devices.invitations.create({ ...PERSON, by: owner.identity });
  await ledger.commit([{ do: 'revoke_device', device_id: owner.identity.device_id, at: 1 }]);
  const later = await again();
  await expectRefusal(() => later.invitations.claim(secret), 'pairing_not_found');
});

test('a link of an earlier version with an invalid scope lets nobody in, and other links still work', async () => {
  const { devices, again, ledger } = await setUp();
  const good = await devices.invitations.create(PERSON);
  const bad = await devices.invitations.create({ ...PERSON, scopes: ['sesion:a'] });
  expect(await ledger.setting('device_invitations')).toHaveLength(2);
  const later = await again();
  await expectRefusal(() => later.invitations.claim(bad.secret), 'pairing_not_found');
  expect(await later.invitations.claim(good.secret)).toBeDefined();
});

test('a link stays usable when the ledger could not commit its use', async () => {
  let isFull = false;
  const { devices } = await setUp((ledger) => ({
    ...ledger,
    commit: (writes) => (isFull ? Promise.reject(new Error('full')) : ledger.commit(writes)),
  }));
  const { secret } = await devices.invitations.create(PERSON);
  isFull = true;
  await expect(devices.invitations.claim(secret)).rejects.toThrow('full');
  isFull = false;
  expect(await devices.invitations.claim(secret)).toBeDefined();
});

test('at most a hundred links are open, and expired ones do not count', async () => {
  const { devices, time } = await setUp();
  await Promise.all(Array.from({ length: 100 }, () => devices.invitations.create(PERSON)));
  await expectRefusal(() => devices.invitations.create(PERSON), 'pairing_full');
  time.advance(600_000);
  expect(await devices.invitations.create(PERSON)).toBeDefined();
});
