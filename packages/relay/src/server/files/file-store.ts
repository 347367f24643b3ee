import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Ledger } from '@drawbridge/ledger';
import type { CoreClock } from '../../core/ports.ts';
import { sweepFiles } from '../sessions-api/file-sweep.ts';

export interface StoredContent {
  readonly sha256: string;
  readonly bytes: number;
}

/** Contents by hash: no name from outside is ever a path. */
export interface FileStore {
  /** Undefined when `admit`, called for each part, refused: then nothing is stored. */
  readonly keep: (
    content: AsyncIterable<Uint8Array>,
    admit: (bytes: number) => boolean,
  ) => Promise<StoredContent | undefined>;
  /** The whole content, or `length` bytes from a place; undefined when missing. */
  readonly read: (
    sha256: string,
    from?: number,
    length?: number,
  ) => Promise<ReadableStream<Uint8Array> | undefined>;
}

export interface FileContents extends FileStore {
  /** Deletes contents without a file. */
  readonly sweep: (by: {
    readonly ledger: Pick<Ledger, 'hasContent'>;
    readonly clock: Pick<CoreClock, 'now'>;
  }) => Promise<void>;
}

export async function openFileStore(folder: string): Promise<FileContents> {
  const arriving = join(folder, 'arriving');
  // Uploads interrupted by the relay's end were never recorded.
  await rm(arriving, { recursive: true, force: true });
  await mkdir(arriving, { recursive: true, mode: 0o700 });

  return {
    async keep(content, admit) {
      const path = join(arriving, randomUUID());
      const hash = createHash('sha256');
      let bytes = 0;
      const file = await open(path, 'wx', 0o600);
      try {
        for await (const part of content) {
          bytes += part.length;
          if (!admit(part.length)) return undefined;
          hash.update(part);
          await file.writeFile(part);
        }
        await file.sync();
        const sha256 = hash.digest('hex');
        await rename(path, join(folder, sha256));
        await syncFolder(folder);
        return { sha256, bytes };
      } finally {
        await file.close();
        await rm(path, { force: true });
      }
    },
    async read(sha256, from = 0, length) {
      const path = join(folder, sha256);
      try {
        await stat(path);
      } catch {
        return undefined;
      }
      // `end` is inclusive; an empty part has none.
      if (length === 0) return new ReadableStream({ start: (stream) => stream.close() });
      const end = length === undefined ? undefined : from + length - 1;
      return Readable.toWeb(createReadStream(path, { start: from, ...(end !== undefined && { end }) }));
    },
    sweep: (by) => sweepFiles({ folder, ...by }),
  };
}

/** Until then the new name is only in memory, and the ledger would name a file that a crash has lost. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
