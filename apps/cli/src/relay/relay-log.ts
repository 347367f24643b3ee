import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface RelayLog {
  readonly write: (line: string) => void;
  readonly close: () => Promise<void>;
}

const MAX_BYTES = 10 * 1_048_576;

/** The relay's log, for its owner only. A long one becomes `relay.log.1` at the next start. */
export function createRelayLog(folder: string, maxBytes = MAX_BYTES): RelayLog {
  const file = join(folder, 'relay.log');
  let handle: FileHandle | undefined;
  let written = Promise.resolve();
  let isClosed = false;

  // Opened with the first line, after the ledger's lock: a second relay must not rotate the first one's log.
  const opened = async (): Promise<FileHandle> => {
    if (handle !== undefined) return handle;
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size > maxBytes) await rename(file, `${file}.1`);
    handle = await open(file, 'a', 0o600);
    // An existing file would keep its mode.
    await handle.chmod(0o600);
    return handle;
  };

  return {
    write(line) {
      if (isClosed) return;
      // A full disk loses log lines, but never stops the relay.
      written = written.then(async () => (await opened()).appendFile(`${line}\n`)).catch(() => {});
    },
    async close() {
      if (isClosed) return written;
      isClosed = true;
      written = written.then(() => handle?.close());
      await written;
    },
  };
}
