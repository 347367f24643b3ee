import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelSettings } from '@drawbridge/brain/models';

/**
 * Not in the ledger: that is backed up, exported and shown to people, and a key in it would go along for ever. A file
 * of its own is readable by the relay's user alone, and gone when it is deleted.
 */
const NAME = 'model.json';

/** Undefined where none was chosen. */
export async function readModelFile(data: string): Promise<ModelSettings | undefined> {
  const text = await readFile(join(data, NAME), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseSettings(text);
}

/** Whole or not at all, and at no moment readable by others. */
export async function writeModelFile(data: string, settings: ModelSettings | undefined): Promise<void> {
  const file = join(data, NAME);
  if (settings === undefined) return rm(file, { force: true });
  await mkdir(data, { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    // The mode of one that a crash has left behind would stay what it was.
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(settings)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

/** As it was written here. */
function parseSettings(text: string): ModelSettings {
  return JSON.parse(text);
}
