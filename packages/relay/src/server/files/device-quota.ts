import type { Ledger, PutSetting } from '@drawbridge/ledger';

/** Stored bytes of each device. The ledger keeps the sum, one row per device. */
export interface DeviceQuota {
  readonly load: (device_id: string) => Promise<void>;
  /** Counts arriving bytes, if the quota has room. */
  readonly take: (device_id: string, bytes: number) => boolean;
  /** With what is under way. */
  readonly used: (device_id: string) => number;
  readonly giveBack: (device_id: string, bytes: number) => void;
  /** Part of the commit that records or removes the file. */
  readonly write: (device_id: string) => PutSetting;
}

export function createDeviceQuota(ledger: Pick<Ledger, 'setting'>, limit: number): DeviceQuota {
  const used = new Map<string, number>();
  const keyOf = (device_id: string) => `files.bytes.${device_id}`;
  const usedBy = (device_id: string) => used.get(device_id) ?? 0;
  return {
    async load(device_id) {
      if (used.has(device_id)) return;
      const stored = await ledger.setting(keyOf(device_id));
      if (!used.has(device_id)) used.set(device_id, typeof stored === 'number' ? stored : 0);
    },
    take(device_id, bytes) {
      if (usedBy(device_id) + bytes > limit) return false;
      used.set(device_id, usedBy(device_id) + bytes);
      return true;
    },
    used: usedBy,
    giveBack: (device_id, bytes) => void used.set(device_id, usedBy(device_id) - bytes),
    write: (device_id) => ({ do: 'put_setting', key: keyOf(device_id), value: usedBy(device_id) }),
  };
}
