import { join } from 'node:path';
import type { Devices } from '@drawbridge/relay';
import { readBridgeFile, removeBridgeFile, writeBridgeFile } from '../browser/bridge-file.ts';
import { readObjectFile, writePrivateFile } from '../browser/private-file.ts';
import type { DataFolder } from '../live/data-folder.ts';

type AgentDevices = Pick<Devices, 'authenticate' | 'list' | 'revoke' | 'mint'>;

export type LocalAgents = ReturnType<typeof createLocalAgents>;

interface AgentRelay {
  readonly url: string;
  readonly devices: AgentDevices;
}

/** Writes the file that `drawbridge mcp` looks for, like `drawbridge browser`. */
export function createLocalAgents(data: DataFolder) {
  const { bridgeFile } = data;
  let isClosed = false;
  let remove = async () => {};
  return {
    /** Relays that share a ledger need different labels: a device of the same label is replaced. */
    letIn: async (relay: AgentRelay, label: string = 'Agents of this machine'): Promise<void> => {
      if ((await readBridgeFile(bridgeFile)) !== undefined) return;
      const token = await agentToken(relay.devices, join(data.path, 'agents-device.json'), label);
      if (isClosed) return;
      const file = { url: relay.url, token, pid: process.pid };
      const written = writeBridgeFile(bridgeFile, file);
      remove = async () => {
        await Promise.allSettled([written]);
        await removeBridgeFile(bridgeFile, file);
      };
      await written;
    },
    /** Removes the file. Afterwards none is written, also by a `letIn` that still waits for a leader. */
    close: async (): Promise<void> => {
      isClosed = true;
      await remove();
    },
  };
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
