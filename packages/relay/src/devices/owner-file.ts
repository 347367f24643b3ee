import { isObject } from '@drawbridge/protocol/manifest';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** How programs of this machine, and of this user, reach the relay as an owner. */
export interface OwnerFile {
  /** While a relay runs. */
  readonly url?: string;
  /** Where other machines reach it, if they do. */
  readonly outside_url?: string;
  /** Of its certificate (SHA-256), by which it is told from another program at `url`. */
  readonly fingerprint?: string;
  readonly device_id: string;
  readonly token: string;
}

const NAME = 'owner.json';

/** Undefined where there is none, or none that can be understood. */
export async function readOwnerFile(dataFolder: string): Promise<OwnerFile | undefined> {
  const text = await readPrivateFile(dataFolder, NAME);
  return text === undefined ? undefined : parseOwnerFile(text);
}

export function writeOwnerFile(dataFolder: string, content: OwnerFile): Promise<void> {
  return writePrivateFile(dataFolder, NAME, content);
}

function parseOwnerFile(text: string): OwnerFile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { url, outside_url, fingerprint, device_id, token } = value;
    if (typeof device_id !== 'string' || typeof token !== 'string') return undefined;
    return {
      ...(typeof url === 'string' && { url }),
      ...(typeof outside_url === 'string' && { outside_url }),
      ...(typeof fingerprint === 'string' && { fingerprint }),
      device_id,
      token,
    };
  } catch {
    return undefined;
  }
}
