import { expect, test } from 'vitest';
import { expectRefusal, setUp, TODAY } from '../../test/devices/devices-harness.ts';
import type { Identity } from '../core/ports.ts';

const HERE = '127.0.0.1';

const approval = (code: string, by: Identity) => ({ code, roles: ['person'], scopes: [], by }) as const;

const otherThan = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

test('a person approves the code that a new device shows, and the device collects its token once', async () => {
  const { devices, add, ledger } = await setUp();
  const { identity } = await add('person');
  const { id, code, poll_secret, expires_at } = devices.codes.open('Tablet', HERE);
  expect(code).toMatch(/^\d{6}$/);
  expect(expires_at).toBe(TODAY + 300_000);
  expect(await devices.codes.collect(id, poll_secret)).toBeUndefined();
  expect(devices.codes.approve(approval(code, identity))).toEqual({ label: 'Tablet' });
  const collect = async () => devices.codes.collect(id, poll_secret);
  const both = await Promise.allSettled([collect(), collect()]);
  expect(both).toMatchObject([
    { status: 'fulfilled', value: { device: { roles: ['person'], label: 'Tablet' } } },
    { status: 'rejected', reason: { code: 'pairing_not_found' } },
  ]);
  await expectRefusal(collect, 'pairing_not_found');
  const [entry] = await ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1);
  expect(entry).toMatchObject({ device_id: identity.device_id, detail: { how: 'code' } });
});

test('collecting needs the secret, and an approved code cannot be approved for another device', async () => {
  const { devices, add } = await setUp();
  const { identity } = await add('owner');
  const [one, other] = [devices.codes.open('One', HERE), devices.codes.open('Other', HERE)];
  devices.codes.approve(approval(one.code, identity));
  await expectRefusal(() => devices.codes.collect(one.id, other.poll_secret), 'pairing_not_found');
  await expectRefusal(() => devices.codes.collect('pair_0', one.poll_secret), 'pairing_not_found');
  await expectRefusal(() => devices.codes.approve(approval(one.code, identity)), 'pairing_not_found');
  expect(await devices.codes.collect(other.id, other.poll_secret)).toBeUndefined();
});

test('a person lets in people only', async () => {
  const { devices, add } = await setUp();
  const { identity } = await add('person');
  const { id, code, poll_secret } = devices.codes.open('Tablet', HERE);
  for (const role of ['owner', 'proxy', 'runtime', 'agent'] as const) {
    const asked = { ...approval(code, identity), roles: ['person', role] as const };
    await expectRefusal(() => devices.codes.approve(asked), 'forbidden');
  }
  expect(await devices.codes.collect(id, poll_secret)).toBeUndefined();
});

test('an approver who types five wrong codes waits five minutes; the codes of others stay valid', async () => {
  const { devices, add, time } = await setUp();
  const [{ identity }, other] = [await add('person'), await add('owner')];
  const { id, code, poll_secret } = devices.codes.open('Tablet', HERE);
  for (let by = 1; by <= 5; by += 1) {
    expect(await devices.codes.collect(id, poll_secret)).toBeUndefined();
    await expectRefusal(
      () => devices.codes.approve(approval(otherThan(code, by), identity)),
      'pairing_not_found',
    );
  }
  await expectRefusal(() => devices.codes.approve(approval(code, identity)), 'rate_limited');
  expect(devices.codes.approve(approval(code, other.identity))).toEqual({ label: 'Tablet' });
  expect(await devices.codes.collect(id, poll_secret)).toBeDefined();
  time.advance(299_999);
  const later = devices.codes.open('Later', HERE);
  await expectRefusal(() => devices.codes.approve(approval(later.code, identity)), 'rate_limited');
  time.advance(1);
  expect(devices.codes.approve(approval(later.code, identity))).toEqual({ label: 'Later' });
});

test('a code expires after five minutes, approved or not', async () => {
  const { devices, add, time } = await setUp();
  const { identity } = await add('person');
  const [one, other] = [devices.codes.open('One', HERE), devices.codes.open('Other', HERE)];
  time.advance(299_999);
  devices.codes.approve(approval(one.code, identity));
  time.advance(1);
  await expectRefusal(() => devices.codes.collect(one.id, one.poll_secret), 'pairing_not_found');
  await expectRefusal(() => devices.codes.approve(approval(other.code, identity)), 'pairing_not_found');
});

test('limits the waiting codes by address and in total; all codes differ', async () => {
  const { devices, time } = await setUp();
  const opened = Array.from({ length: 20 }, (_, at) => devices.codes.open('New', `192.0.2.${at >> 2}`));
  expect(new Set(opened.map(({ code }) => code)).size).toBe(20);
  await expectRefusal(() => devices.codes.open('New', '192.0.2.99'), 'pairing_full');
  time.advance(300_000);
  for (let at = 0; at < 5; at += 1) devices.codes.open('New', HERE);
  await expectRefusal(() => devices.codes.open('New', HERE), 'pairing_full');
  expect(devices.codes.open('New', '192.0.2.99')).toBeDefined();
});

test('an approval does not outlive its approver', async () => {
  const { devices, add } = await setUp();
  const { identity } = await add('person');
  const { id, code, poll_secret } = devices.codes.open('Tablet', HERE);
  devices.codes.approve(approval(code, identity));
  await devices.revoke(identity.device_id, 'machine');
  await expectRefusal(() => devices.codes.collect(id, poll_secret), 'pairing_not_found');
});

test('waiting for a change ends by approval, expiry, another wait, or a timeout', async () => {
  const { devices, add, time } = await setUp();
  const { identity } = await add('person');
  const [one, other] = [devices.codes.open('One', HERE), devices.codes.open('Other', HERE)];
  const replaced = devices.codes.change(one.id, 25_000);
  const approved = devices.codes.change(one.id, 25_000);
  await replaced;
  devices.codes.approve(approval(one.code, identity));
  await approved;
  await devices.codes.change(one.id, 25_000);
  const waited = devices.codes.change(other.id, 25_000);
  time.advance(25_000);
  await waited;
  const ended = devices.codes.change(other.id, 300_000);
  time.advance(275_000);
  await ended;
  await devices.codes.change(other.id, 25_000);
  expect(time.pending()).toBe(0);
});

test('close resolves every wait and leaves no timer', async () => {
  const { devices, time } = await setUp();
  const { id } = devices.codes.open('Tablet', HERE);
  const waiting = devices.codes.change(id, 25_000);
  devices.close();
  devices.close();
  await waiting;
  expect(time.pending()).toBe(0);
});

test('a code stays usable when the ledger could not commit its use', async () => {
  let isFull = false;
  const { devices, add } = await setUp((ledger) => ({
    ...ledger,
    commit: (writes) => (isFull ? Promise.reject(new Error('full')) : ledger.commit(writes)),
  }));
  const { identity } = await add('person');
  const { id, code, poll_secret } = devices.codes.open('Tablet', HERE);
  devices.codes.approve(approval(code, identity));
  isFull = true;
  await expect(devices.codes.collect(id, poll_secret)).rejects.toThrow('full');
  isFull = false;
  expect(await devices.codes.collect(id, poll_secret)).toBeDefined();
});
