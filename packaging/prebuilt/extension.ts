import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { assetPath } from './asset.ts';

/** Replaces `apps/extension/build/index.ts`, which builds from sources. */
export const buildExtension = async (): Promise<string> => assetPath('extension');

export async function zipExtension(outDir: string): Promise<string> {
  await mkdir(outDir, { recursive: true });
  const path = join(outDir, 'drawbridge.zip');
  await copyFile(assetPath('extension.zip'), path);
  return path;
}
