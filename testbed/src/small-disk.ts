import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate small file system, to be filled up. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Writes until nothing fits any more. */
  readonly fill: () => void;
  /** Removes what `fill` wrote. */
  readonly free: () => void;
}

/** Mounting needs Linux, root and the capability. */
export const CAN_MOUNT: boolean = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    mountSmallDisk(1)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
})();

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    const size = `size=${megabytes}m,mode=700`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'small-disk', folder], { stdio: 'ignore' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      for (let bytes = 1_048_576; bytes >= 1; ) {
        try {
          appendFileSync(filler, Buffer.alloc(bytes));
        } catch {
          bytes = Math.floor(bytes / 4);
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      // Lazy: a process that was killed may still hold a file.
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true });
    },
  };
}
