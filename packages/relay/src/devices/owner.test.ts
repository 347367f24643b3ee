import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setUp } from '../../test/devices/devices-harness.ts';
import { createDevices } from './devices.ts';
import { readOwnerFile } from './owner-file.ts';

test('the first start creates an owner, whose token only this user can read; later starts keep it', async () => {
  const { folder, devices, again } = await setUp();
  const found = await readOwnerFile(folder);
  expect(found).toEqual(devices.owner);
  expect((await stat(join(folder, 'owner.json'))).mode & 0o777).toBe(0o600);
  expect(await devices.authenticate(found?.token ?? '')).toMatchObject({
    device_id: found?.device_id,
    roles: ['owner'],
  });
  expect((await again()).owner).toEqual(found);
  expect(await devices.list()).toHaveLength(1);
});

test('local tools find the relay while it runs', async () => {
  const { folder, devices } = await setUp();
  await writeFile(join(folder, 'owner.json.new'), 'left by a crash', { mode: 0o644 });
  await devices.listening('http://127.0.0.1:7717');
  expect(await readOwnerFile(folder)).toEqual({ url: 'http://127.0.0.1:7717', ...devices.owner });
  expect((await stat(join(folder, 'owner.json'))).mode & 0o777).toBe(0o600);
  const reach = { outside_url: 'https://relay.example:7717', fingerprint: 'AA:BB' };
  await devices.listening('https://127.0.0.1:7717', reach);
  expect(await readOwnerFile(folder)).toEqual({
    url: 'https://127.0.0.1:7717',
    ...reach,
    ...devices.owner,
  });
  await devices.listening(undefined);
  expect(await readOwnerFile(folder)).toEqual(devices.owner);
  expect(await readOwnerFile(join(folder, 'elsewhere'))).toBeUndefined();
});

test.each([
  ['lost', (file: string) => rm(file)],
  ['half written', (file: string) => writeFile(file, '{"device_id":"dev_1","tok')],
  ['of another ledger', (file: string) => writeFile(file, '{"device_id":"dev_1","token":"dbr_x"}')],
  ['of no owner', (file: string) => writeFile(file, '["dev_1"]')],
])('a file that is %s is made anew', async (_, harm) => {
  const { folder, devices, again } = await setUp();
  await harm(join(folder, 'owner.json'));
  const { owner, authenticate } = await again();
  expect(owner).not.toEqual(devices.owner);
  expect(await readOwnerFile(folder)).toEqual(owner);
  expect(await authenticate(owner?.token ?? '')).toMatchObject({ roles: ['owner'] });
});

test("replaces a revoked owner's file, with another token", async () => {
  const { folder, devices, again, add } = await setUp();
  const other = await add('owner');
  await devices.revoke(devices.owner?.device_id ?? '', other.identity);
  const { owner } = await again();
  expect(owner?.token).not.toBe(devices.owner?.token);
  expect(JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8'))).toEqual(owner);
});

test('without a folder the first start returns its owner, and a later one none', async () => {
  const { ledger, clock, devices } = await setUp();
  const bare = () => createDevices({ ledger, clock, random: randomBytes });
  expect((await bare()).owner).toBeUndefined();
  await ledger.commit([{ do: 'revoke_device', device_id: devices.owner?.device_id ?? '', at: 1 }]);
  const first = await bare();
  expect(await first.authenticate(first.owner?.token ?? '')).toMatchObject({ roles: ['owner'] });
  await first.listening('http://127.0.0.1:1');
});
