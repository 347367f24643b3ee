import { addressOf, localPath } from '../../compose/address.ts';
import type { LoadImport } from '../../compose/import-tree.ts';
import { LoadRefusal } from '../../compose/problem.ts';
import { readContained } from './contained-file.ts';
import { pathProblem } from './path-problem.ts';

export interface LocalOptions {
  /** The root map's folder; no file outside is read. */
  readonly root: string;
  readonly maxBytes?: number;
}

/** Imports of kind `local`: files below the root map's folder, relative to the importing map. */
export function createLocalLoader({ root, maxBytes }: LocalOptions): LoadImport {
  return async (source, from) => {
    if (localPath(from) === undefined) {
      throw new LoadRefusal('local_from_elsewhere', 'Only a local map may import a local file.');
    }
    const written = source.uri.split('/').filter((segment) => segment !== '..' && segment !== '.');
    const fault = source.uri.startsWith('/') ? 'is absolute' : pathProblem(written.join('/'));
    if (fault !== undefined) throw new LoadRefusal('unsafe_path', `The path ${fault}.`);
    const path = localPath(addressOf(source, from)) ?? '';
    if (path.split('/')[0] === '..') throw new LoadRefusal('outside_root', 'The path leads out of its root.');
    return readContained(root, path, maxBytes);
  };
}
