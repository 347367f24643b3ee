import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What the relay alone may read, by name. */
export interface PrivateFiles {
  /** Undefined where there is none. */
  readonly read: (name: string) => Promise<string | undefined>;
  /** As JSON; whole or not at all. */
  readonly write: (name: string, content: unknown) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

export const privateFolder = (folder: string): PrivateFiles => ({
  read: (name) => readPrivateFile(folder, name),
  write: (name, content) => writePrivateFile(folder, name, content),
  remove: (name) => rm(join(folder, name), { force: true }),
});

/** Undefined where there is none. */
export function readPrivateFile(folder: string, name: string): Promise<string | undefined> {
  return readFile(join(folder, name), 'utf8').catch(() => undefined);
}

/** As JSON; whole or not at all, and at no moment readable by others. */
export async function writePrivateFile(folder: string, name: string, content: unknown): Promise<void> {
  const file = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    // The mode of one that a crash has left behind would stay what it was.
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(content)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}
