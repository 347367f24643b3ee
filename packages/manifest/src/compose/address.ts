import type { Import } from '@drawbridge/protocol/manifest';

/** File name of a root map without an address. */
export const ROOT_ADDRESS = 'actions.json';

const LOCAL = 'local:';
const STORAGE = 'storage:';

/** The scopes that a storage path may start with. */
const SCOPES = ['private/', 'shared/', 'public/'];

/**
 * Normalizes the address of an import: cycles are detected by it, and loaders get it as `from`. Local imports
 * are relative to the importing map; storage imports without a scope are in that map's scope.
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

/** The path of a storage address, scope first; undefined for any other. */
export function storagePath(address: string): string | undefined {
  return address.startsWith(STORAGE) ? address.slice(STORAGE.length) : undefined;
}

/** Outside storage, a local map counts as private and a web map as public. */
function scopeFor(kind: Import['kind'], from: string): string {
  if (kind === 'shared' || kind === 'public') return `${kind}/`;
  const path = storagePath(from);
  if (path === undefined) return localPath(from) === undefined ? 'public/' : 'private/';
  return /^(?:private\/|public\/|shared\/[^/]+\/)/.exec(path)?.[0] ?? 'public/';
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Keeps leading `..`, so that the loader refuses a path that leaves the root. */
function joinPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else segments.push(segment);
  }
  return (path.startsWith('/') ? '/' : '') + segments.join('/');
}
