import { rm } from 'node:fs/promises';
import { readObjectFile, writePrivateFile } from './private-file.ts';

/** Connection data of the lent browser, for programs of this user on this machine. */
export interface BridgeFile {
  /** `http://127.0.0.1:7717` */
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Undefined if missing, or if its writer has ended. */
export async function readBridgeFile(file: string): Promise<BridgeFile | undefined> {
  const { url, token, pid } = (await readObjectFile(file)) ?? {};
  if (typeof url !== 'string' || typeof token !== 'string' || typeof pid !== 'number') return undefined;
  return isRunning(pid) ? { url, token, pid } : undefined;
}

export const writeBridgeFile = (file: string, content: BridgeFile): Promise<void> =>
  writePrivateFile(file, content);

/** Only our own: another process may be serving by now. */
export async function removeBridgeFile(file: string, { token }: BridgeFile): Promise<void> {
  const there = await readBridgeFile(file);
  if (there?.token === token) await rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: a process of another user exists: https://man7.org/linux/man-pages/man2/kill.2.html
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
