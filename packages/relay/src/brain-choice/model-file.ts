import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelSettings } from '@drawbridge/brain/models';
import { readPrivateFile, writePrivateFile } from '../devices/private-file.ts';

/**
 * Not in the ledger: that is backed up, exported and shown to people, and a key in it would go along for ever. A file
 * of its own is readable by the relay's user alone, and gone when it is deleted.
 */
const NAME = 'model.json';

/** Undefined where none was chosen. */
export async function readModelFile(data: string): Promise<ModelSettings | undefined> {
  const text = await readPrivateFile(data, NAME);
  return text === undefined ? undefined : parseSettings(text);
}

/** Without settings it goes. */
export function writeModelFile(data: string, settings: ModelSettings | undefined): Promise<void> {
  if (settings === undefined) return rm(join(data, NAME), { force: true });
  return writePrivateFile(data, NAME, settings);
}

/** As it was written here. */
function parseSettings(text: string): ModelSettings {
  return JSON.parse(text);
}
