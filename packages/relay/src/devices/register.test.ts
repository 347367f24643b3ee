import { createGate } from '@drawbridge/testbed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectRefusal, setUp, TODAY } from '../../test/devices/devices-harness.ts';
import { newToken } from './secret.ts';

test('a token is known once minted, also after a restart, with roles, label and scopes', async () => {
  const { devices, again } = await setUp();
  const { device, token } = await devices.mint({
    roles: ['person', 'runtime'],
    label: 'Side panel',
    scopes: ['session:a'],
    by: 'machine',
  });
  const identity = { device_id: device.device_id, roles: ['person', 'runtime'], label: 'Side panel' };
  expect(await devices.authenticate(token)).toEqual({ ...identity, scopes: ['session:a'] });
  expect(await (await again()).authenticate(token)).toEqual({ ...identity, scopes: ['session:a'] });
});

test('a device records who let it in, by every route, also after a restart', async () => {
  const { devices, add, again } = await setUp();
  const { identity } = await add('owner');
  const order = { roles: ['person'], scopes: [], label: 'Phone', by: identity } as const;
  const minted = await devices.mint(order);
  const invited = await devices.invitations.claim((await devices.invitations.create(order)).secret);
  const { id, code, poll_secret } = devices.codes.open('Tablet', '127.0.0.1');
  devices.codes.approve({ ...order, code });
  const approved = await devices.codes.collect(id, poll_secret);
  const given = [minted, invited, approved].map((each) => each?.device.device_id);
  const devicesLater = await (await again()).list();
  for (const { device_id, by } of devicesLater) {
    expect(by).toBe(given.includes(device_id) ? identity.device_id : null);
  }
  expect(devicesLater).toHaveLength(5);
});

test('any text that is not one of our tokens is unknown', async () => {
  const { devices, add } = await setUp();
  const { token } = await add('person');
  const edits = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom('', 'A', 'b', '_', '-', ' ', '\0', '%'))
    .map(([at, put]) => token.slice(0, at) + put + token.slice(at + 1));
  const cases = fc.oneof(
    edits,
    fc.string(),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => newToken(() => bytes)),
    fc.constantFrom(
      token.toUpperCase(),
      `${token} `,
      ` ${token}`,
      token.slice(4),
      `${token}\n`,
      token + token,
    ),
  );
  await fc.assert(
    fc.asyncProperty(cases, async (text) => {
      fc.pre(text !== token);
      expect(await devices.authenticate(text)).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
  expect(await devices.authenticate(token)).toBeDefined();
});

test('a malformed token causes no ledger read', async () => {
  let looks = 0;
  const { devices } = await setUp((ledger) => ({
    ...ledger,
    deviceByToken(hash) {
      looks += 1;
      return ledger.deviceByToken(hash);
    },
  }));
  for (const text of ['', 'dbr_', 'x'.repeat(1_000_000)]) await devices.authenticate(text);
  expect(looks).toBe(0);
});

test('a revoked device is unknown at once, and listeners are notified', async () => {
  const { devices, add, again, ledger } = await setUp();
  const [owner, phone] = [await add('owner'), await add('person')];
  const received: string[] = [];
  const cancel = devices.onRevoked((device_id) => received.push(device_id));
  const { device_id } = phone.identity;
  await devices.revoke(device_id, owner.identity);
  expect(await devices.authenticate(phone.token)).toBeUndefined();
  expect(received).toEqual([device_id]);
  expect(await (await again()).authenticate(phone.token)).toBeUndefined();
  expect((await devices.list()).find((each) => each.device_id === device_id)?.revoked_at).toBe(TODAY);
  const [entry] = await ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1);
  expect(entry).toMatchObject({
    ...{ at: TODAY, device_id: owner.identity.device_id, action: 'device_revoked', subject: device_id },
  });
  await expectRefusal(() => devices.revoke(device_id, owner.identity), 'device_not_found');
  cancel();
  await devices.revoke(owner.identity.device_id, owner.identity);
  expect(received).toHaveLength(1);
});

test('a lookup that starts before a revocation and ends after it does not bring the device back', async () => {
  const gate = createGate();
  const { devices, again } = await setUp((ledger) => ({
    ...ledger,
    async deviceByToken(hash) {
      const record = await ledger.deviceByToken(hash);
      if (record?.label === 'Phone') await gate.passed();
      return record;
    },
  }));
  const { device, token } = await devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  const looking = devices.authenticate(token);
  await gate.reached;
  await devices.revoke(device.device_id, 'machine');
  gate.open();
  expect(await looking).toBeUndefined();
  expect(await devices.authenticate(token)).toBeUndefined();
  expect(await (await again()).authenticate(token)).toBeUndefined();
});

test('the last owner stays, also when two are revoked at the same moment', async () => {
  const { devices, add } = await setUp();
  const one = devices.owner?.device_id ?? '';
  const other = (await add('owner')).identity.device_id;
  const both = await Promise.allSettled([devices.revoke(one, 'machine'), devices.revoke(other, 'machine')]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expectRefusal(() => devices.revoke(other, 'machine'), 'last_owner');
  expect((await devices.list()).find(({ device_id }) => device_id === other)?.revoked_at).toBeNull();
});

test('owners rename and revoke every device, others only themselves, except a name that others trust', async () => {
  const { devices, add } = await setUp();
  const owner = await add('owner');
  const phone = await add('person');
  for (const role of ['person', 'proxy', 'runtime', 'agent'] as const) {
    const { identity, token } = await add(role);
    await expectRefusal(() => devices.revoke(phone.identity.device_id, identity), 'forbidden');
    await expectRefusal(() => devices.rename(phone.identity.device_id, 'Mine', identity), 'forbidden');
    const rename = () => devices.rename(identity.device_id, 'Phone', identity);
    await (role === 'person' ? rename() : expectRefusal(rename, 'forbidden'));
    await devices.revoke(identity.device_id, identity);
    expect(await devices.authenticate(token)).toBeUndefined();
  }
  await devices.rename(phone.identity.device_id, 'Old phone', owner.identity);
  expect(await devices.authenticate(phone.token)).toMatchObject({ label: 'Old phone' });
  await expectRefusal(() => devices.rename('dev_0', 'Nobody', owner.identity), 'device_not_found');
});

test('the audit records who added a device', async () => {
  const { devices, add, ledger } = await setUp();
  const owner = await add('owner');
  const { device } = await devices.mint({ roles: ['proxy'], label: 'Laptop', by: owner.identity });
  const [entry] = await ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1);
  expect(entry).toEqual({
    number: expect.any(Number),
    at: TODAY,
    device_id: owner.identity.device_id,
    action: 'device_added',
    subject: device.device_id,
    detail: { how: 'mint', roles: ['proxy'], scopes: [], label: 'Laptop' },
  });
});

test('a person cannot mint devices, least of all an owner', async () => {
  const { devices, add } = await setUp();
  const { identity } = await add('person');
  const before = await devices.list();
  for (const roles of [['owner'], ['person'], ['person', 'owner']] as const) {
    await expectRefusal(() => devices.mint({ roles, label: 'Mine', by: identity }), 'forbidden');
  }
  expect(await devices.list()).toEqual(before);
});

test('writes the last-seen time once a minute', async () => {
  let writes = 0;
  const { devices, time } = await setUp((ledger) => ({
    ...ledger,
    commit(transaction) {
      if (transaction.some((write) => write.do === 'update_device')) writes += 1;
      return ledger.commit(transaction);
    },
  }));
  const { device, token } = await devices.mint({ roles: ['agent'], label: 'Agent', by: 'machine' });
  for (let call = 0; call < 50; call += 1) await devices.authenticate(token);
  expect(writes).toBe(1);
  time.advance(59_999);
  await devices.authenticate(token);
  expect(writes).toBe(1);
  time.advance(1);
  await devices.authenticate(token);
  expect(writes).toBe(2);
  const seenAt = async () =>
    (await devices.list()).find(({ device_id }) => device_id === device.device_id)?.last_seen_at;
  await expect.poll(seenAt).toBe(TODAY + 60_000);
});

test('a ledger that rejects writes locks nobody out', async () => {
  let isFull = false;
  const { devices, faults } = await setUp((ledger) => ({
    ...ledger,
    commit: (writes) => (isFull ? Promise.reject(new Error('full')) : ledger.commit(writes)),
  }));
  const { token } = await devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  isFull = true;
  expect(await devices.authenticate(token)).toMatchObject({ label: 'Phone' });
  await expect.poll(() => faults).toMatchObject([{ message: 'full' }]);
});

test('devices beyond the cache size are still known', async () => {
  const { devices } = await setUp();
  const order = { roles: ['agent'], label: 'Agent', by: 'machine' } as const;
  const minted = await Promise.all(Array.from({ length: 1_010 }, () => devices.mint(order)));
  for (const pass of [1, 2]) {
    const known = await Promise.all(minted.map(({ token }) => devices.authenticate(token)));
    expect([pass, known.map((each) => each?.device_id)]).toEqual([
      pass,
      minted.map(({ device }) => device.device_id),
    ]);
  }
});
