import type { ModelSettings } from '@drawbridge/brain/models';
import type { PrivateFiles } from '../devices/private-file.ts';

/**
 * Not in the ledger: that is backed up, exported and shown to people, and a key in it would go along for ever. A file
 * of its own is readable by the relay's user alone, and gone when it is deleted.
 */
const NAME = 'model.json';

/** Undefined where none was chosen. */
export async function readModelFile(secrets: PrivateFiles): Promise<ModelSettings | undefined> {
  const text = await secrets.read(NAME);
  return text === undefined ? undefined : parseSettings(text);
}

/** Without settings it goes. */
export function writeModelFile(secrets: PrivateFiles, settings: ModelSettings | undefined): Promise<void> {
  return settings === undefined ? secrets.remove(NAME) : secrets.write(NAME, settings);
}

/** What stands there is not what was written: an edit by hand, or a disk that failed. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
}

function parseSettings(text: string): ModelSettings {
  const settings = parseObject(text);
  if (typeof settings?.provider === 'string' && typeof settings.model === 'string') return settings;
  throw new ModelFileError(
    `${NAME} in the relay's folder cannot be read. Choose the model again, or delete the file.`,
  );
}

/** As it was written here, or nothing. */
function parseObject(text: string): ModelSettings | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
