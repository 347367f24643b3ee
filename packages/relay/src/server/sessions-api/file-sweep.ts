import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ledger } from '@drawbridge/ledger';
import type { CoreClock } from '../../core/ports.ts';

export interface FileSweepPorts {
  /** Folder of the contents by hash. */
  readonly folder: string;
  readonly ledger: Pick<Ledger, 'hasContent'>;
  readonly clock: Pick<CoreClock, 'now'>;
}

/** Content is stored before the row that names it: young content may still get its row. */
const SETTLED_MS = 60_000;
const CONTENT = /^[0-9a-f]{64}$/;

/** Deletes contents without a file. */
export async function sweepFiles({ folder, ledger, clock }: FileSweepPorts): Promise<void> {
  const isSettled = async (path: string) => clock.now() - (await stat(path)).mtimeMs > SETTLED_MS;
  for (const sha256 of await readdir(folder)) {
    const path = join(folder, sha256);
    if (!CONTENT.test(sha256) || !(await isSettled(path)) || (await ledger.hasContent(sha256))) continue;
    // The folder of arriving files, which the next start empties: the same content may have just arrived
    // again.
    const leaving = join(folder, 'arriving', `leaving-${sha256}`);
    await rename(path, leaving);
    if (await isSettled(leaving)) await rm(leaving);
    else await rename(leaving, path);
  }
}
