import { join } from 'node:path';
import type { DataFolder } from '../live/data-folder.ts';
import type { RunningRelay } from '../relay/local-relay.ts';
import { readObjectFile, writePrivateFile } from './private-file.ts';

/** Credentials of a browser at the relay. */
export interface RelayDevice {
  readonly device_id: string;
  readonly token: string;
}

/** The last used device, or a new one if it was revoked. */
export async function openRelayDevice(
  { call }: RunningRelay,
  { path }: DataFolder,
  label: string,
): Promise<RelayDevice> {
  const file = join(path, 'browser-device.json');
  const { device_id, token } = (await readObjectFile(file)) ?? {};
  if (typeof device_id === 'string' && typeof token === 'string') {
    const { devices } = await call('GET /api/devices');
    const isKnown = devices.some((each) => each.device_id === device_id && each.revoked_at === null);
    if (isKnown) return { device_id, token };
  }
  const { device_id: id, token: made } = await call('POST /api/devices', {
    body: { roles: ['runtime'], label },
  });
  const device = { device_id: id, token: made };
  await writePrivateFile(file, device);
  return device;
}
