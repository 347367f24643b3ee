import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A file system in a file, which the kernel makes read-only at an error, as it does with a dying disk. */
export interface FailingDisk extends Disposable {
  readonly folder: string;
  /** Reports an error to the kernel: open files take no more writes either. */
  readonly fail: () => void;
  /** Repairs and mounts it again; nothing may have a file open. */
  readonly repair: () => void;
}

const MEGABYTES = 64;
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Undefined where such a disk cannot be made: it needs Linux, root, a loop device and ext4. */
export function mountFailingDisk(): FailingDisk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const place = mkdtempSync(join(tmpdir(), 'failing-disk-'));
  const folder = join(place, 'mounted');
  const image = join(place, 'image');
  let device = '';
  const mount = (): void => {
    run('mount', '-o', 'errors=remount-ro', device, folder);
  };
  const dispose = (): void => {
    try {
      if (device !== '') run('umount', '-l', folder);
    } finally {
      if (device !== '') run('losetup', '-d', device);
      rmSync(place, { recursive: true });
    }
  };
  const trigger = (): string => `/sys/fs/ext4/${basename(device)}/trigger_fs_error`;
  try {
    writeFileSync(image, '');
    truncateSync(image, MEGABYTES * 1_048_576);
    run('mkfs.ext4', '-q', image);
    run('mkdir', '-m', '700', folder);
    device = run('losetup', '--find', '--show', image);
    mount();
    if (!existsSync(trigger())) throw new Error('This kernel reports no errors on demand.');
  } catch {
    dispose();
    return undefined;
  }
  return {
    folder,
    fail: () => writeFileSync(trigger(), '1'),
    repair() {
      run('umount', folder);
      try {
        run('e2fsck', '-fy', device);
      } catch {
        // 1: errors were corrected.
      }
      mount();
    },
    [Symbol.dispose]: dispose,
  };
}
