import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import {
  createDevices,
  type Device,
  type OwnerFile,
  openSqliteLedger,
  type Role,
  readOwnerFile,
} from '@drawbridge/relay';

export interface NewDevice {
  readonly roles: readonly Role[];
  readonly label: string;
}

/** The relay of a data folder, for its owner at this machine. */
export interface LocalRelay {
  /** Undefined while it does not run. */
  readonly url: string | undefined;
  readonly mint: (order: NewDevice) => Promise<{ readonly device_id: string; readonly token: string }>;
  readonly invite: (order: NewDevice) => Promise<{ readonly pair_path: string; readonly expires_at: number }>;
  readonly list: () => Promise<readonly Device[]>;
  readonly rename: (device_id: string, label: string) => Promise<void>;
  readonly revoke: (device_id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Asks the relay that runs; where none does, opens what it would open. */
export async function openLocalRelay(folder: string): Promise<LocalRelay> {
  const owner = await readOwnerFile(folder);
  if (owner?.url !== undefined && (await answers(owner.url))) return runningRelay(owner.url, owner);
  return stoppedRelay(folder);
}

const ANSWER_MS = 3_000;

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

function runningRelay(url: string, { token }: OwnerFile): LocalRelay {
  /** What our own relay answers, of this version: its shape is not checked again. */
  async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = JSON.parse((await response.text()) || 'null');
    if (!response.ok) throw new Error(answer.error.message);
    return answer;
  }
  const one = (device_id: string) => `/api/devices/${encodeURIComponent(device_id)}`;
  return {
    url,
    mint: (order) => ask('POST', '/api/devices', order),
    invite: (order) => ask('POST', '/api/pair/invite', order),
    list: async () => (await ask<{ devices: readonly Device[] }>('GET', '/api/devices')).devices,
    rename: (device_id, label) => ask('PATCH', one(device_id), { label }),
    revoke: (device_id) => ask('DELETE', one(device_id)),
    close: async () => {},
  };
}

async function stoppedRelay(folder: string): Promise<LocalRelay> {
  const ledger = await openSqliteLedger({ path: join(folder, 'ledger.db') });
  const devices = await createDevices({
    ledger,
    clock: systemClock,
    random: randomBytes,
    dataFolder: folder,
  });
  const by = 'machine';
  return {
    url: undefined,
    async mint(order) {
      const { device, token } = await devices.mint({ ...order, by });
      return { device_id: device.device_id, token };
    },
    invite: (order) => devices.invitations.create({ ...order, scopes: [], by }),
    list: devices.list,
    rename: (device_id, label) => devices.rename(device_id, label, by),
    revoke: (device_id) => devices.revoke(device_id, by),
    async close() {
      devices.close();
      await ledger.close();
    },
  };
}
