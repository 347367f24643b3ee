import type { Ledger, PutSetting } from '@drawbridge/ledger';

/** Stored bytes of each device. The ledger keeps the sum, one row per device. */
export type DeviceQuota = ReturnType<typeof createDeviceQuota>;

export function createDeviceQuota(ledger: Pick<Ledger, 'setting'>, limit: number) {
  const used = new Map<string, number>();
  const keyOf = (device_id: string) => `files.bytes.${device_id}`;
  const usedBy = (device_id: string) => used.get(device_id) ?? 0;
  return {
    async load(device_id: string): Promise<void> {
      if (used.has(device_id)) return;
      const stored = await ledger.setting(keyOf(device_id));
      if (!used.has(device_id)) used.set(device_id, typeof stored === 'number' ? stored : 0);
    },
    /** Counts arriving bytes, if the quota has room. */
    take(device_id: string, bytes: number): boolean {
      if (usedBy(device_id) + bytes > limit) return false;
      used.set(device_id, usedBy(device_id) + bytes);
      return true;
    },
    /** With what is under way. */
    used: usedBy,
    giveBack: (device_id: string, bytes: number): void => void used.set(device_id, usedBy(device_id) - bytes),
    /** Part of the commit that records or removes the file. */
    write: (device_id: string): PutSetting => ({
      do: 'put_setting',
      key: keyOf(device_id),
      value: usedBy(device_id),
    }),
  };
}
