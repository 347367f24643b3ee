import type { FileRecord, Ledger, TaskRecord } from '@drawbridge/ledger';
import type { Thumbnail } from '@drawbridge/runtime/task';
import type { CoreClock } from '../core/ports.ts';
import { BRAIN_DEVICE } from '../interact/agent-sessions.ts';
import type { DeviceQuota } from '../server/files/device-quota.ts';
import type { FileStore } from '../server/files/file-store.ts';

export interface StepPicturesOptions {
  readonly ledger: Pick<Ledger, 'commit'>;
  readonly files: Pick<FileStore, 'keep'>;
  readonly quota: DeviceQuota;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly onError: (error: unknown) => void;
}

/**
 * Stores a picture of a step as a file of its session; undefined when the quota is full or the disk fails.
 */
export type KeepPicture = (
  task: Pick<TaskRecord, 'session_id' | 'device_id'>,
  picture: Pick<Thumbnail, 'image' | 'mime_type'>,
) => Promise<string | undefined>;

/** A picture of a tab: a guest of the session does not get it (CHT-334). */
export const isTabPicture = ({ device_id }: Pick<FileRecord, 'device_id'>): boolean =>
  device_id.startsWith(`${BRAIN_DEVICE}.`);

/** Gives pictures a separate quota per device, so a watched task leaves room for its files. */
export function createStepPictures(options: StepPicturesOptions): KeepPicture {
  const { ledger, files, quota, clock, id, onError } = options;

  const keep: KeepPicture = async (task, { image, mime_type }) => {
    const content = Buffer.from(image, 'base64');
    const { session_id } = task;
    const device_id = `${BRAIN_DEVICE}.${task.device_id}`;
    await quota.load(device_id);
    const kept = await files.keep(parts(content), (bytes) => quota.take(device_id, bytes));
    if (kept === undefined) return undefined;
    const file_id = id('file');
    const file = {
      ...{ file_id, session_id, device_id, name: 'step.jpg', media_type: mime_type },
      ...{ ...kept, created_at: clock.now() },
    };
    const outcome = await ledger.commit([{ do: 'put_file', file }, quota.write(device_id)]);
    if (outcome.committed) return file_id;
    quota.giveBack(device_id, kept.bytes);
    return undefined;
  };

  return (task, picture) =>
    keep(task, picture).catch((error: unknown) => {
      onError(error);
      return undefined;
    });
}

async function* parts(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
