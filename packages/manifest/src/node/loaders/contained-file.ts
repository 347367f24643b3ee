import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { LoadRefusal } from '../../compose/problem.ts';
import { pathProblem } from './path-problem.ts';

const DEFAULT_MAX_FILE_BYTES = 1_048_576;

/** Without O_NONBLOCK, opening a named pipe would block; O_NOFOLLOW refuses a link that was created last. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Reads a text file that is inside a folder after resolving links. Throws a LoadRefusal that names neither
 * the folder nor the content.
 */
export async function readContained(
  root: string,
  path: string,
  maxBytes: number = DEFAULT_MAX_FILE_BYTES,
): Promise<string> {
  const fault = pathProblem(path);
  if (fault !== undefined) throw new LoadRefusal('unsafe_path', `The path ${fault}.`);
  const file = await resolveInside(root, path);
  const handle = await open(file, OPEN_FLAGS).catch(notFound);
  try {
    await sameFile(handle, root, path);
    return await readText(handle, maxBytes);
  } finally {
    await handle.close();
  }
}

async function resolveInside(root: string, path: string): Promise<string> {
  const folder = await realpath(root).catch(notFound);
  const file = await realpath(join(folder, path)).catch(notFound);
  if (!isInside(folder, file)) throw new LoadRefusal('outside_root', 'The path leads out of its root.');
  return file;
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** A parent folder may have become a link after it was resolved, so the opened file is compared again. */
async function sameFile(handle: FileHandle, root: string, path: string): Promise<void> {
  const opened = await handle.stat();
  if (!opened.isFile()) throw new LoadRefusal('not_a_file', 'The path is not a plain file.');
  const expected = await stat(await resolveInside(root, path)).catch(notFound);
  if (!isSame(opened, expected)) throw new LoadRefusal('outside_root', 'The path changed while it was read.');
}

const isSame = (one: Stats, other: Stats): boolean => one.dev === other.dev && one.ino === other.ino;

/** Bounds the read itself: the reported size may be wrong for a growing file or a device. */
async function readText(handle: FileHandle, maxBytes: number): Promise<string> {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length <= maxBytes) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > maxBytes) throw new LoadRefusal('too_large', `The file is larger than ${maxBytes} bytes.`);
  return decodeUtf8(buffer.subarray(0, length));
}

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new LoadRefusal('not_text', 'The content is not UTF-8 text.');
  }
}

function notFound(): never {
  throw new LoadRefusal('not_found', 'There is no such file, or it cannot be read.');
}
