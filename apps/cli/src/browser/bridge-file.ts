import { open, readFile, rm } from 'node:fs/promises';
import { isObject } from '@drawbridge/protocol/manifest';

/** How programs of this machine, and of this user, reach the browser that is being served. */
export interface BridgeFile {
  /** `http://127.0.0.1:7717` */
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Undefined where there is none, or where whoever wrote it has ended since. */
export async function readBridgeFile(file: string): Promise<BridgeFile | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const found = text === undefined ? undefined : parseBridgeFile(text);
  return found !== undefined && isRunning(found.pid) ? found : undefined;
}

export async function writeBridgeFile(file: string, content: BridgeFile): Promise<void> {
  // Made anew: the mode of a file that is there already would stay what it is.
  await rm(file, { force: true });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content)}\n`);
  } finally {
    await handle.close();
  }
}

/** Only our own: another one may be serving by now. */
export async function removeBridgeFile(file: string, { token }: BridgeFile): Promise<void> {
  const there = await readBridgeFile(file);
  if (there?.token === token) await rm(file, { force: true });
}

function parseBridgeFile(text: string): BridgeFile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { url, token, pid } = value;
    if (typeof url !== 'string' || typeof token !== 'string' || typeof pid !== 'number') return undefined;
    return { url, token, pid };
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is one all the same: https://man7.org/linux/man-pages/man2/kill.2.html
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
