import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const NOT_SHIPPED = /\.test\.tsx?$/;

/** Independent of the sources' location. */
export async function sourceHash(places: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of places) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile() && !NOT_SHIPPED.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
    const texts = await Promise.all(paths.map((path) => readFile(path)));
    paths.forEach((path, at) => {
      hash
        .update(path.slice(folder.length))
        .update('\0')
        .update(texts[at] ?? '');
    });
  }
  return hash.digest('hex').slice(0, 16);
}
