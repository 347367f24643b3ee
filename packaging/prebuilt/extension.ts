import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { zipSync } from 'fflate';
import { assetPath } from './asset.ts';

/** Replaces `apps/extension/build/index.ts`, which builds from sources. */
export const buildExtension = async (): Promise<string> => assetPath('extension');

/** Made from the folder: both in one package would be too large. */
export async function zipExtension(outDir: string): Promise<string> {
  const folder = assetPath('extension');
  const files: Record<string, Uint8Array> = {};
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[nameInZip(folder, path)] = await readFile(path);
  }
  await mkdir(outDir, { recursive: true });
  const zip = join(outDir, 'drawbridge.zip');
  await writeFile(zip, zipSync(files, { level: 9 }));
  return zip;
}

const nameInZip = (folder: string, path: string): string => relative(folder, path).replaceAll(sep, '/');
