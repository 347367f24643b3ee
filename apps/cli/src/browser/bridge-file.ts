import { rm } from 'node:fs/promises';
import { readObjectFile, writePrivateFile } from './private-file.ts';

/** How programs of this machine, and of this user, reach the browser that is being served. */
export interface BridgeFile {
  /** `http://127.0.0.1:7717` */
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Undefined where there is none, or where whoever wrote it has ended since. */
export async function readBridgeFile(file: string): Promise<BridgeFile | undefined> {
  const { url, token, pid } = (await readObjectFile(file)) ?? {};
  if (typeof url !== 'string' || typeof token !== 'string' || typeof pid !== 'number') return undefined;
  return isRunning(pid) ? { url, token, pid } : undefined;
}

export const writeBridgeFile = (file: string, content: BridgeFile): Promise<void> =>
  writePrivateFile(file, content);

/** Only our own: another one may be serving by now. */
export async function removeBridgeFile(file: string, { token }: BridgeFile): Promise<void> {
  const there = await readBridgeFile(file);
  if (there?.token === token) await rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is one all the same: https://man7.org/linux/man-pages/man2/kill.2.html
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
