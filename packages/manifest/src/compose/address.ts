import type { Import } from '@drawbridge/protocol/manifest';

/** The file name of a root map whose place nobody named. */
export const ROOT_ADDRESS = 'actions.json';

const LOCAL = 'local:';
const STORAGE = 'storage:';

/** The scopes of storage, as a storage path begins with them. */
const SCOPES = ['private/', 'shared/', 'public/'];

/**
 * Where an import leads, as one spelling for each place: cycles are found by it, and loaders get it as
 * `from`. Local imports are relative to the map that names them; storage imports that name no scope are in
 * the scope of that map.
 */
export function addressOf({ kind, uri }: Import, from: string): string {
  if (kind === 'local') {
    const folder = uri.startsWith('/') ? '' : parentOf(localPath(from) ?? '');
    return localAddress(joinPath(folder + uri));
  }
  if (kind === 'package') return `package:${uri}`;
  if (kind === 'website' || uri.includes('://')) return uri;
  return STORAGE + (SCOPES.some((scope) => uri.startsWith(scope)) ? uri : scopeFor(kind, from) + uri);
}

export function localAddress(path: string): string {
  return LOCAL + path;
}

/** The path of a local address; undefined for any other. */
export function localPath(address: string): string | undefined {
  return address.startsWith(LOCAL) ? address.slice(LOCAL.length) : undefined;
}

export function storageAddress(path: string): string {
  return STORAGE + path;
}

/** The path of a storage address, its scope first; undefined for any other. */
export function storagePath(address: string): string | undefined {
  return address.startsWith(STORAGE) ? address.slice(STORAGE.length) : undefined;
}

/** A map from nowhere in storage: a person's own file speaks for their private scope, the web for none. */
function scopeFor(kind: Import['kind'], from: string): string {
  if (kind === 'shared' || kind === 'public') return `${kind}/`;
  const path = storagePath(from);
  if (path === undefined) return localPath(from) === undefined ? 'public/' : 'private/';
  return /^(?:private\/|public\/|shared\/[^/]+\/)/.exec(path)?.[0] ?? 'public/';
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Leading `..` stay: whether they leave the root is the loader's to refuse, not ours to hide. */
function joinPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else segments.push(segment);
  }
  return (path.startsWith('/') ? '/' : '') + segments.join('/');
}
