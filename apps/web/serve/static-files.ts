import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

export interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

const compress = promisify(gzip);

/** All files of a folder by path, `/assets/x.js`, held in memory. */
export async function readStaticFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(
      files.map(async (path): Promise<[string, StaticFile]> => {
        const plain = new Uint8Array(await readFile(path));
        const type = TYPES[extname(path)] ?? 'application/octet-stream';
        return [`/${relative(folder, path).split(sep).join('/')}`, await staticFile(type, plain)];
      }),
    ),
  );
}

export async function staticFile(type: string, plain: Uint8Array<ArrayBuffer>): Promise<StaticFile> {
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 20);
  return { type, etag: `"${hash}"`, plain, gzipped: new Uint8Array(await compress(plain)) };
}
