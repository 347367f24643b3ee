import type { ModelSettings } from '@drawbridge/brain/models';
import type { PrivateFiles } from '../devices/private-file.ts';

/**
 * Kept out of the ledger, which is backed up, exported and shown to people. A separate file is readable only
 * by the relay's user, and deleting it removes the key.
 */
const NAME = 'model.json';

/** Undefined when no model was chosen. */
export async function readModelFile(secrets: PrivateFiles): Promise<ModelSettings | undefined> {
  const text = await secrets.read(NAME);
  return text === undefined ? undefined : parseSettings(text);
}

/** Deletes the file when there are no settings. */
export function writeModelFile(secrets: PrivateFiles, settings: ModelSettings | undefined): Promise<void> {
  return settings === undefined ? secrets.remove(NAME) : secrets.write(NAME, settings);
}

/** The file does not hold what was written: an edit by hand, or a disk failure. */
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

function parseObject(text: string): ModelSettings | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
