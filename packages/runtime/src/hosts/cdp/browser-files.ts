import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative } from 'node:path';
import { BridgeError } from '@drawbridge/protocol';
import type { FileContent, HostFiles, SavedFile } from '../../host.ts';
import type { SecretMemory } from '../secret-memory.ts';
import { fileType } from './file-type.ts';

export interface BrowserFiles extends HostFiles {
  /** A completed download becomes an attachment; undefined when the file is gone. */
  readonly add: (path: string, name: string, url: string) => Promise<SavedFile | undefined>;
}

export interface BrowserFilesOptions {
  /** Folders of this machine whose files an agent may upload. None by default. */
  readonly folders?: readonly string[];
  readonly secrets: SecretMemory;
}

/** More than this are forgotten, oldest first; the files stay where the browser saved them. */
const MAX_SAVED = 200;
export const MAX_FILE_BYTES = 100 * 1_048_576;

/** The files of one browser: saved by its lent tabs, or in folders that the person allowed. */
export function createBrowserFiles({ folders = [], secrets }: BrowserFilesOptions): BrowserFiles {
  const saved = new Map<string, SavedFile & { readonly path: string }>();

  const allowedPath = async (given: string): Promise<string> => {
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
    // After links are followed: a link inside an allowed folder may lead out of it.
    const path = isAbsolute(given) ? await realpath(given).catch(() => undefined) : undefined;
    const isInside = path !== undefined && roots.some((root) => root !== undefined && isWithin(root, path));
    // The same answer for a missing file, so that nobody learns which files exist elsewhere.
    if (path === undefined || !isInside) throw notAllowed(folders);
    return path;
  };

  return {
    saved: () => [...saved.values()].map(({ path: _, ...file }) => file),
    async add(path, name, url) {
      const content = await digest(path).catch(() => undefined);
      if (content === undefined) return undefined;
      const origin = URL.canParse(url) ? originIn(url) : 'unknown';
      const file = { attachment_id: `file_${randomUUID()}`, name, type: fileType(name), ...content, origin };
      saved.set(file.attachment_id, { ...file, path });
      const [oldest = ''] = saved.keys();
      if (saved.size > MAX_SAVED) saved.delete(oldest);
      return file;
    },
    async open(file) {
      if ('path' in file) {
        const path = await allowedPath(file.path);
        return contentOf(path, basename(path));
      }
      const known = saved.get(file.attachment_id);
      if (known === undefined) throw unknownAttachment(file.attachment_id);
      return contentOf(known.path, known.name);
    },
    holdsSecret: (content) => secrets.isIn(content),
  };
}

/** `blob:https://shop.example/…` is saved by a page of that origin. */
const originIn = (url: string): string => {
  const { origin, protocol } = new URL(url);
  return origin === 'null' ? protocol : origin;
};

const isWithin = (root: string, path: string): boolean => {
  const inner = relative(root, path);
  return inner !== '' && !inner.startsWith('..') && !isAbsolute(inner);
};

async function digest(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of createReadStream(path)) {
    hash.update(part);
    bytes += part.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function contentOf(path: string, name: string): Promise<FileContent> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile())
    throw new BridgeError('target_not_found', 'The file is gone, or is no file. Name another.');
  if (found.size > MAX_FILE_BYTES) {
    const message = `The file has ${found.size} bytes; ${MAX_FILE_BYTES} can be uploaded.`;
    throw new BridgeError('permission_denied', message, { evidence: { reason: 'too_large' } });
  }
  return {
    name,
    type: fileType(name),
    bytes: found.size,
    async read(from, length) {
      const file = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
}

function notAllowed(folders: readonly string[]): BridgeError {
  const allowed = folders.length === 0 ? 'none is allowed' : `these are: ${folders.join(', ')}`;
  const message = `Only files in folders that the person allowed can be uploaded by path, and ${allowed}. Ask the person to start the browser with --files DIR, or send the content.`;
  return new BridgeError('permission_denied', message, { evidence: { reason: 'folder_not_allowed' } });
}

function unknownAttachment(attachment_id: string): BridgeError {
  const message = 'There is no attachment with this id. browser.files.list names the saved files.';
  return new BridgeError('target_not_found', message, { evidence: { attachment_id } });
}
