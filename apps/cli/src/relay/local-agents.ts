import { join } from 'node:path';
import type { Devices } from '@drawbridge/relay';
import { readBridgeFile, removeBridgeFile, writeBridgeFile } from '../browser/bridge-file.ts';
import { readObjectFile, writePrivateFile } from '../browser/private-file.ts';
import type { DataFolder } from '../live/data-folder.ts';

type AgentDevices = Pick<Devices, 'authenticate' | 'list' | 'revoke' | 'mint'>;

/**
 * Writes the file that `drawbridge mcp` looks for, like `drawbridge browser`. Relays that share a ledger need
 * different labels: a device of the same label is replaced.
 */
export async function letAgentsIn(
  relay: { readonly url: string; readonly devices: AgentDevices },
  data: DataFolder,
  label = 'Agents of this machine',
): Promise<() => Promise<void>> {
  const { bridgeFile } = data;
  if ((await readBridgeFile(bridgeFile)) !== undefined) return async () => {};
  const token = await agentToken(relay.devices, join(data.path, 'agents-device.json'), label);
  const file = { url: relay.url, token, pid: process.pid };
  await writeBridgeFile(bridgeFile, file);
  return () => removeBridgeFile(bridgeFile, file);
}

/** Reuses the same device; replaces it if its file is lost or the device revoked. */
async function agentToken(devices: AgentDevices, file: string, label: string): Promise<string> {
  const { token: kept } = (await readObjectFile(file)) ?? {};
  if (typeof kept === 'string') {
    const identity = await devices.authenticate(kept);
    if (identity?.roles.includes('agent')) return kept;
  }
  const all = await devices.list();
  for (const { device_id, revoked_at, by, ...found } of all) {
    const isLeft = found.label === label && revoked_at === null && by === null;
    if (isLeft) await devices.revoke(device_id, 'machine');
  }
  const { device, token } = await devices.mint({ roles: ['agent'], label, by: 'machine' });
  await writePrivateFile(file, { device_id: device.device_id, token });
  return token;
}
