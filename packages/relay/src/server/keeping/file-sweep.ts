import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CoreClock } from '../../core/ports.ts';
import type { Ledger } from '../../ledger/ledger.ts';

export interface FileSweepPorts {
  /** Where contents lie by their hash. */
  readonly folder: string;
  readonly ledger: Pick<Ledger, 'hasContent'>;
  readonly clock: Pick<CoreClock, 'now'>;
}

/** A content is stored before the row that names it: a young one may still get its row. */
const SETTLED_MS = 60_000;
const CONTENT = /^[0-9a-f]{64}$/;

/** Removes the contents that no file has any more. */
export async function sweepFiles({ folder, ledger, clock }: FileSweepPorts): Promise<void> {
  const isSettled = async (path: string) => clock.now() - (await stat(path)).mtimeMs > SETTLED_MS;
  for (const sha256 of await readdir(folder)) {
    const path = join(folder, sha256);
    if (!CONTENT.test(sha256) || !(await isSettled(path)) || (await ledger.hasContent(sha256))) continue;
    // Where what arrives lies, which the next start empties: the same content may have come again just now.
    const leaving = join(folder, 'arriving', `leaving-${sha256}`);
    await rename(path, leaving);
    if (await isSettled(leaving)) await rm(leaving);
    else await rename(leaving, path);
  }
}
