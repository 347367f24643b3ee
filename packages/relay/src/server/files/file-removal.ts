import type { DeleteFile, Ledger } from '@drawbridge/ledger';
import type { DeviceQuota } from './device-quota.ts';

export interface FileRemovalOptions {
  readonly ledger: Pick<Ledger, 'filesOf' | 'commit'>;
  readonly quota: DeviceQuota;
  /** Deletes contents without a file. */
  readonly sweep: () => Promise<void>;
}

export type FileRemoval = ReturnType<typeof createFileRemoval>;

export function createFileRemoval({ ledger, quota, sweep }: FileRemovalOptions) {
  return {
    sweep,
    /** Deletes the files of a session, or those from before a time, and frees the quota of their devices. */
    async ofSession(session_id: string, before: number = Number.POSITIVE_INFINITY): Promise<void> {
      const files = (await ledger.filesOf(session_id)).filter(({ created_at }) => created_at < before);
      if (files.length === 0) return;
      const devices = [...new Set(files.map(({ device_id }) => device_id))];
      for (const device_id of devices) await quota.load(device_id);
      const removals = files.map(({ file_id }): DeleteFile => ({ do: 'delete_file', file_id }));
      for (const { device_id, bytes } of files) quota.giveBack(device_id, bytes);
      try {
        await ledger.commit([...removals, ...devices.map(quota.write)]);
      } catch (error) {
        for (const { device_id, bytes } of files) quota.giveBack(device_id, -bytes);
        throw error;
      }
    },
  };
}
