import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface RelayLog {
  readonly write: (line: string) => void;
  readonly close: () => Promise<void>;
}

const MAX_BYTES = 10 * 1_048_576;

/** The relay's own words, for its owner only. What had grown too long is `relay.log.1` after a start. */
export function createRelayLog(folder: string, maxBytes = MAX_BYTES): RelayLog {
  const file = join(folder, 'relay.log');
  let handle: FileHandle | undefined;
  let written = Promise.resolve();
  let isClosed = false;

  // With the first line, which comes after the ledger's lock: a second relay must not put the first one's log aside.
  const opened = async (): Promise<FileHandle> => {
    if (handle !== undefined) return handle;
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size > maxBytes) await rename(file, `${file}.1`);
    handle = await open(file, 'a', 0o600);
    // The mode of a file that is there already would stay what it is.
    await handle.chmod(0o600);
    return handle;
  };

  return {
    write(line) {
      if (isClosed) return;
      // A full disk costs lines of the log, never the relay.
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
