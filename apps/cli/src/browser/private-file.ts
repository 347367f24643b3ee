import { open, readFile, rm } from 'node:fs/promises';
import { isObject } from '@drawbridge/protocol/manifest';

/** JSON that only its owner can read. */
export async function writePrivateFile(file: string, content: object): Promise<void> {
  // Made anew: the mode of a file that is there already would stay what it is.
  await rm(file, { force: true });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content)}\n`);
  } finally {
    await handle.close();
  }
}

/** Undefined where there is none, or none that can be understood. */
export async function readObjectFile(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
