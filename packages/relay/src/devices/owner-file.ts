import { isObject } from '@drawbridge/protocol/manifest';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** Lets programs of this user on this machine reach the relay as an owner. */
export interface OwnerFile {
  /** Set while a relay runs. */
  readonly url?: string;
  /** Address for other machines, if there is one. */
  readonly outside_url?: string;
  /** SHA-256 of the certificate, which distinguishes the relay from another program at `url`. */
  readonly fingerprint?: string;
  readonly device_id: string;
  readonly token: string;
}

const NAME = 'owner.json';

/** Undefined when the file is missing or unreadable. */
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
