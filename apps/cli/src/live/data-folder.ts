import { access, constants, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Drawbridge's data: profiles, maps, connection data of a running browser. */
export interface DataFolder {
  readonly path: string;
  /** Maps by site, in `scopes/{private,shared,public}/sites/…`. */
  readonly storage: string;
  /** Connection data of a lent browser for local programs. */
  readonly bridgeFile: string;
  /** Permanent grants. */
  readonly grants: string;
  /** Evidence of failed checks, for repairing a map. */
  readonly evidence: string;
  readonly profile: (name: string) => string;
}

/** `--data`, DRAWBRIDGE_HOME, or a folder in the home folder. Closed to others. */
export async function openDataFolder(
  named: string | undefined,
  env: Environment = process.env,
): Promise<DataFolder> {
  const home = env['DRAWBRIDGE_HOME'];
  const path = resolve(named ?? (home === undefined || home === '' ? join(homedir(), '.drawbridge') : home));
  const storage = join(path, 'storage');
  try {
    await mkdir(storage, { recursive: true, mode: 0o700 });
    // An existing folder may belong to another user, or be on a read-only disk.
    await access(path, constants.W_OK);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Drawbridge keeps your data in ${path}, but cannot write there (${why}).\nName another folder: --data DIR, or DRAWBRIDGE_HOME.`,
      { cause },
    );
  }
  return {
    path,
    storage,
    bridgeFile: join(path, 'bridge.json'),
    grants: join(path, 'grants.json'),
    evidence: join(path, 'evidence'),
    profile: (name) => join(path, 'profiles', name),
  };
}
