import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetPath } from './asset.ts';

/** Replaces `apps/demo-shop/src/client-bundle.ts`, which bundles from sources. */
export async function readClientBundle(): Promise<{
  readonly hash: string;
  readonly files: ReadonlyMap<string, Buffer<ArrayBuffer>>;
}> {
  const folder = assetPath('shop/scripts');
  const names = await readdir(folder);
  const files = names.map(async (name) => [name, await readFile(join(folder, name))] as const);
  return { hash: 'packed', files: new Map(await Promise.all(files)) };
}
