import { open, readFile, rm } from 'node:fs/promises';
import { isObject } from '@drawbridge/protocol/manifest';

/** Writes JSON readable only by its owner. */
export async function writePrivateFile(file: string, content: object): Promise<void> {
  // Removed first: an existing file would keep its mode.
  await rm(file, { force: true });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content)}\n`);
  } finally {
    await handle.close();
  }
}

/** Undefined if missing or malformed. */
export async function readObjectFile(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
