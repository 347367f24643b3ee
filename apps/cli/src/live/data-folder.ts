import { access, constants, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where Drawbridge keeps what is yours: profiles, maps, the key to a running browser. */
export interface DataFolder {
  readonly path: string;
  /** Maps by site, in `scopes/{private,shared,public}/sites/…`. */
  readonly storage: string;
  /** How programs of this machine reach a browser that is being served. */
  readonly bridgeFile: string;
  /** What a person permitted for good. */
  readonly grants: string;
  /** What failed checks left behind, for whoever repairs a map. */
  readonly evidence: string;
  readonly profile: (name: string) => string;
}

/** `--data`, else DRAWBRIDGE_HOME, else a folder in the home folder. Nobody else may look into it. */
export async function openDataFolder(
  named: string | undefined,
  env: Environment = process.env,
): Promise<DataFolder> {
  const home = env['DRAWBRIDGE_HOME'];
  const path = resolve(named ?? (home === undefined || home === '' ? join(homedir(), '.drawbridge') : home));
  const storage = join(path, 'storage');
  try {
    await mkdir(storage, { recursive: true, mode: 0o700 });
    // A folder that is there already may be somebody else's, or on a disk that is read only.
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
