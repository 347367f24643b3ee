import type { LoadImport } from '../../compose/import-tree.ts';
import { LoadRefusal } from '../../compose/problem.ts';
import { createHttpsLoader, type HttpsOptions } from './https-loader.ts';
import { createLocalLoader, type LocalOptions } from './local-loader.ts';
import { openStorage, type StorageOptions } from './storage-loader.ts';

export interface LoaderOptions {
  readonly local?: LocalOptions;
  readonly storage?: StorageOptions;
  /** Absent: https imports are refused. */
  readonly https?: HttpsOptions;
  /** Imports of kind `package`, which only their installer can locate. */
  readonly package?: LoadImport;
}

/** One loader for every kind of import. A kind that is not configured is refused. */
export function createMapLoader(options: LoaderOptions): LoadImport {
  const local = options.local && createLocalLoader(options.local);
  const storage = options.storage && openStorage(options.storage).load;
  const https = options.https && createHttpsLoader(options.https);
  return async (source, from) => {
    const isUrl = source.kind === 'website' || (source.kind !== 'local' && source.uri.includes('://'));
    if (source.kind === 'package') return ask(options.package, 'package_off', 'Packages', source, from);
    if (isUrl) return ask(https, 'https_off', 'Imports over https', source, from);
    if (source.kind === 'local') return ask(local, 'local_off', 'Local imports', source, from);
    return ask(storage, 'storage_off', 'Imports from storage', source, from);
  };
}

function ask(
  load: LoadImport | undefined,
  code: string,
  what: string,
  ...request: Parameters<LoadImport>
): Promise<string> {
  if (load === undefined) throw new LoadRefusal(code, `${what} are not turned on here.`);
  return load(...request);
}
