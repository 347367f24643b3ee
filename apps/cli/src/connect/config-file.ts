import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Empty if the file is missing. */
export async function readConfig(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw new Error(`Could not read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Writes atomically, through symlinks, and keeps the mode. */
export async function writeConfig(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const beside = `${target}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(target), { recursive: true });
    const mode = await stat(target).then(
      (found) => found.mode & 0o777,
      () => undefined,
    );
    await writeFile(beside, text, mode === undefined ? {} : { mode });
    if (mode !== undefined) await chmod(beside, mode);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw new Error(`Could not write ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
