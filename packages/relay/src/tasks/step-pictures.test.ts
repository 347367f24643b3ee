import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { session } from '@drawbridge/ledger/test/samples';
import { expect, onTestFinished, test } from 'vitest';
import { createDeviceQuota } from '../server/files/device-quota.ts';
import { openFileStore } from '../server/files/file-store.ts';
import { createStepPictures } from './step-pictures.ts';

test('pictures of one device leave room for those of another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ledger = openMemoryLedger({ epoch: 'e1', synced: [] });
  await ledger.commit([session('s')]);
  let ids = 0;
  const keep = createStepPictures({
    ...{ ledger, files: await openFileStore(folder), quota: createDeviceQuota(ledger, 20) },
    clock: { now: () => 0, after: () => () => {} },
    id: (kind) => `${kind}_${++ids}`,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const picture = { image: Buffer.from('a picture').toString('base64'), mime_type: 'image/jpeg' as const };
  const kept = async (device_id: string) =>
    (await keep({ session_id: 's', device_id }, picture)) !== undefined;
  expect([await kept('agent'), await kept('agent'), await kept('agent')]).toEqual([true, true, false]);
  expect(await kept('phone')).toBe(true);
});
