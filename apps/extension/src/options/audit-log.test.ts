import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { readAudit } from './audit-log.ts';

test("an owner gets the whole audit log, page by page; a person only their device's entries", async () => {
  const data = await mkdtemp(join(tmpdir(), 'audit-'));
  const relay = await startRelay({ port: 0, data });
  onTestFinished(async () => {
    await relay.close();
    await rm(data, { recursive: true, force: true });
  });
  const pairingOf = async (role: 'owner' | 'person') => {
    const { token, device } = await relay.devices.mint({ roles: [role], label: role, by: 'machine' });
    return { url: relay.url, token, deviceId: device.device_id, name: role };
  };
  const owner = await pairingOf('owner');
  const entry = { at: 1, device_id: null, action: 'halted' as const, subject: 'nothing', detail: {} };
  await relay.ledger.commit(Array.from({ length: 1_001 }, () => ({ do: 'audit' as const, entry })));
  expect((await readAudit(owner, fetch)).length).toBeGreaterThan(1_001);
  const person = await pairingOf('person');
  const own = { ...entry, device_id: person.deviceId };
  await relay.ledger.commit([{ do: 'audit', entry: own }]);
  expect(await readAudit(person, fetch)).toEqual([expect.objectContaining(own)]);
  await expect(readAudit({ ...owner, token: 'wrong' }, fetch)).rejects.toThrow('401');
});
