import { fstatSync, type Stats } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createMutex } from '@drawbridge/base';

export interface RelayLog {
  readonly write: (line: string) => void;
  readonly close: () => Promise<void>;
}

/** `file`: relay.log in the data folder. `stderr`: for journald or a container's log. */
export type LogTarget = 'file' | 'stderr';

export const isLogTarget = (text: string): text is LogTarget => text === 'file' || text === 'stderr';

/**
 * As `--log` says; otherwise the log of the system in containers (their image sets DRAWBRIDGE_LOG) and under
 * systemd. A terminal may inherit JOURNAL_STREAM, so it must name our own standard error:
 * https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#%24JOURNAL_STREAM
 */
export function logTarget(
  named: LogTarget | undefined,
  env: Readonly<Record<string, string | undefined>>,
  stderr: Pick<Stats, 'dev' | 'ino'> = fstatSync(process.stderr.fd),
): LogTarget {
  const { DRAWBRIDGE_LOG: set, JOURNAL_STREAM: journal, KUBERNETES_SERVICE_HOST: kubernetes } = env;
  if (named !== undefined) return named;
  if (set !== undefined && isLogTarget(set)) return set;
  return journal === `${stderr.dev}:${stderr.ino}` || kubernetes !== undefined ? 'stderr' : 'file';
}

export const stderrLog = (): RelayLog => ({
  write: (line) => void process.stderr.write(`${line}\n`),
  close: async () => {},
});

const MAX_BYTES = 10 * 1_048_576;
const OLD_LOGS = 4;

/** The relay's log, for its owner only. A full one becomes `relay.log.1`, that one `relay.log.2`, up to 4. */
export function createRelayLog(folder: string, maxBytes = MAX_BYTES): RelayLog {
  const file = join(folder, 'relay.log');
  let current: { readonly handle: FileHandle; bytes: number } | undefined;
  const inTurn = createMutex();
  let closing: Promise<void> | undefined;

  const rotate = async (): Promise<void> => {
    for (let number = OLD_LOGS; number > 0; number -= 1) {
      const from = number === 1 ? file : `${file}.${number - 1}`;
      await rename(from, `${file}.${number}`).catch(() => {});
    }
  };

  // Opened with the first line, after the ledger's lock: a second relay must not rotate the first one's log.
  const opened = async (): Promise<NonNullable<typeof current>> => {
    if (current !== undefined && current.bytes < maxBytes) return current;
    await current?.handle.close();
    current = undefined;
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size >= maxBytes) await rotate();
    const handle = await open(file, 'a', 0o600);
    // An existing file would keep its mode.
    await handle.chmod(0o600);
    current = { handle, bytes: size >= maxBytes ? 0 : size };
    return current;
  };

  const append = async (line: string): Promise<void> => {
    const log = await opened();
    await log.handle.appendFile(line);
    log.bytes += Buffer.byteLength(line);
  };

  return {
    write(line) {
      // A full disk loses log lines, but never stops the relay.
      if (closing === undefined) inTurn(() => append(`${line}\n`)).catch(() => {});
    },
    close() {
      closing ??= inTurn(async () => current?.handle.close());
      return closing;
    },
  };
}
