import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { MapSource } from '@drawbridge/runtime';
import { openMapFolder } from '@drawbridge/runtime/node';
import type { DataFolder } from './data-folder.ts';

/** The named maps, then those of the storage folder, all reloaded on change. */
export async function openMaps(named: readonly string[] | undefined, data: DataFolder): Promise<MapSource> {
  const files = (named ?? []).map((file) => resolve(file));
  for (const file of files) {
    await access(file).catch(() => {
      throw new Error(`There is no map at ${file}.`);
    });
  }
  return openMapFolder({ files, storage: { root: data.storage } });
}
