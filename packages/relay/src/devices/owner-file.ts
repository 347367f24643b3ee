import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@drawbridge/protocol/manifest';

/** How programs of this machine, and of this user, reach the relay as an owner. */
export interface OwnerFile {
  /** While a relay runs. */
  readonly url?: string;
  readonly device_id: string;
  readonly token: string;
}

const NAME = 'owner.json';

/** Undefined where there is none, or none that can be understood. */
export async function readOwnerFile(dataFolder: string): Promise<OwnerFile | undefined> {
  const text = await readFile(join(dataFolder, NAME), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseOwnerFile(text);
}

/** For a tool that needs a running relay. */
export async function openOwnerFile(dataFolder: string): Promise<Required<OwnerFile>> {
  const { url, device_id, token } = (await readOwnerFile(dataFolder)) ?? {};
  if (url === undefined || device_id === undefined || token === undefined) {
    throw new Error(
      `No relay runs with the folder ${dataFolder}. Start one: drawbridge up --data ${dataFolder}`,
    );
  }
  return { url, device_id, token };
}

/** Whole or not at all, and at no moment readable by others. */
export async function writeOwnerFile(dataFolder: string, content: OwnerFile): Promise<void> {
  const file = join(dataFolder, NAME);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
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

function parseOwnerFile(text: string): OwnerFile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { url, device_id, token } = value;
    if (typeof device_id !== 'string' || typeof token !== 'string') return undefined;
    return { ...(typeof url === 'string' && { url }), device_id, token };
  } catch {
    return undefined;
  }
}
