import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf, localPath, storageAddress, storagePath } from '../../compose/address.ts';
import type { LoadImport } from '../../compose/import-tree.ts';
import { LoadRefusal } from '../../compose/problem.ts';
import { readContained } from './contained-file.ts';
import { hostDistance } from './site-host.ts';
import { folderOf, isPlainName, maySee, parseLocation, type Scope } from './storage-scope.ts';

export interface StorageOptions {
  /** The folder that contains `scopes/`. */
  readonly root: string;
  /** The person's audiences, by priority. */
  readonly audiences?: readonly string[];
  readonly maxBytes?: number;
}

export interface StoredMap {
  readonly scope: Scope;
  readonly host: string;
  readonly surface: string;
  /** The `address` option for `compose`. */
  readonly address: string;
}

export interface Storage {
  /** The maps for a page's host: private before shared before public, the closest host first. */
  readonly mapsFor: (host: string) => Promise<readonly StoredMap[]>;
  readonly read: (map: StoredMap) => Promise<string>;
  /** Reads a file of a stored map, such as an overlay, relative to the map's scope. */
  readonly readBeside: (map: StoredMap, path: string) => Promise<string>;
  readonly load: LoadImport;
}

const MAP_FILE = 'actions.json';
/** Folders with recordings that prove a map, which contain no maps. */
const EXCLUDED = 'proof';
const PRIVATE: Scope = { kind: 'private' };
const PUBLIC: Scope = { kind: 'public' };

export function openStorage({ root, audiences = [], maxBytes }: StorageOptions): Storage {
  const scopes: readonly Scope[] = [
    PRIVATE,
    ...audiences.filter(isPlainName).map((audience): Scope => ({ kind: 'shared', audience })),
    PUBLIC,
  ];

  const readIn = async (scope: Scope, path: string): Promise<string> => {
    if (path.split('/').includes(EXCLUDED)) throw new LoadRefusal('not_found', 'Recordings are no maps.');
    return readContained(await scopeFolder(root, scope), path, maxBytes);
  };

  return {
    mapsFor: async (host) => (await Promise.all(scopes.map((scope) => mapsIn(root, scope, host)))).flat(),
    read: ({ scope, host, surface }) => readIn(scope, `sites/${host}/${surface}/${MAP_FILE}`),
    readBeside: ({ scope }, path) => readIn(scope, path),
    load: async (source, from) => {
      const place = parseLocation(storagePath(addressOf(source, from)) ?? '');
      if (place === undefined)
        throw new LoadRefusal('unsafe_path', 'The uri is not a path of a storage scope.');
      if ((source.kind === 'shared' || source.kind === 'public') && place.scope.kind !== source.kind) {
        throw new LoadRefusal('wrong_scope', `An import of kind ${source.kind} names another scope.`);
      }
      const known = scopes.some((scope) => folderOf(scope) === folderOf(place.scope));
      if (!known || !maySee(scopeOf(from), place.scope)) {
        throw new LoadRefusal(
          'scope_refused',
          'A map may not import from a scope that its readers do not share.',
        );
      }
      return readIn(place.scope, place.path);
    },
  };
}

/** A person's own file counts as private, a map from the web as public. */
function scopeOf(address: string): Scope {
  if (localPath(address) !== undefined) return PRIVATE;
  return parseLocation(storagePath(address) ?? '')?.scope ?? PUBLIC;
}

/** Refuses a scope whose folder is a link, which may lead into another scope. */
async function scopeFolder(root: string, scope: Scope): Promise<string> {
  try {
    const folder = join(await realpath(root), 'scopes', folderOf(scope));
    if ((await realpath(folder)) === folder) return folder;
  } catch {
    throw new LoadRefusal('not_found', 'There is no such storage scope.');
  }
  throw new LoadRefusal('outside_root', 'The storage scope is a link.');
}

async function mapsIn(root: string, scope: Scope, host: string): Promise<StoredMap[]> {
  const folder = await scopeFolder(root, scope).catch(() => undefined);
  if (folder === undefined) return [];
  const sites = (await foldersIn(join(folder, 'sites')))
    .map((site) => ({ site, distance: hostDistance(host, site) }))
    .filter((one): one is { site: string; distance: number } => one.distance !== undefined)
    .sort((one, other) => one.distance - other.distance || byName(one.site, other.site));
  const maps = await Promise.all(sites.map(({ site }) => mapsOfSite(folder, scope, site)));
  return maps.flat();
}

async function mapsOfSite(folder: string, scope: Scope, host: string): Promise<StoredMap[]> {
  const surfaces = await foldersIn(join(folder, 'sites', host));
  const found = await Promise.all(
    surfaces.map(async (surface) => {
      const files = await entriesIn(join(folder, 'sites', host, surface));
      const hasMap = files.some((file) => file.isFile() && file.name === MAP_FILE);
      const address = storageAddress(`${folderOf(scope)}/sites/${host}/${surface}/${MAP_FILE}`);
      return hasMap ? [{ scope, host, surface, address }] : [];
    }),
  );
  return found.flat();
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await entriesIn(path);
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== EXCLUDED);
  return folders.map(({ name }) => name).sort(byName);
}

const entriesIn = (path: string): Promise<Dirent[]> => readdir(path, { withFileTypes: true }).catch(() => []);

const byName = (one: string, other: string): number => (one < other ? -1 : 1);
