import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that only the relay's user may read. */
export interface PrivateFiles {
  /** Undefined when missing. */
  readonly read: (name: string) => Promise<string | undefined>;
  /** Writes JSON atomically. */
  readonly write: (name: string, content: unknown) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

export const privateFolder = (folder: string): PrivateFiles => ({
  read: (name) => readPrivateFile(folder, name),
  write: (name, content) => writePrivateFile(folder, name, content),
  remove: (name) => rm(join(folder, name), { force: true }),
});

/** Undefined when missing. */
export function readPrivateFile(folder: string, name: string): Promise<string | undefined> {
  return readFile(join(folder, name), 'utf8').catch(() => undefined);
}

/** Writes JSON atomically; at no moment readable by others. */
export async function writePrivateFile(folder: string, name: string, content: unknown): Promise<void> {
  const file = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    // A file left by a crash would keep its old mode.
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(content)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}
