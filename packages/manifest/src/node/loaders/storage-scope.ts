/** The audience of a map: its owner, a shared audience, or everybody. */
export type Scope =
  | { readonly kind: 'private' }
  | { readonly kind: 'shared'; readonly audience: string }
  | { readonly kind: 'public' };

/** A file in storage: its scope and its path within the scope's folder. */
export interface StorageLocation {
  readonly scope: Scope;
  readonly path: string;
}

/** `private/…`, `public/…` or `shared/<audience>/…`. */
export function parseLocation(path: string): StorageLocation | undefined {
  const [first, second, ...rest] = path.split('/');
  if (second === undefined) return undefined;
  if (first === 'private' || first === 'public') {
    return { scope: { kind: first }, path: [second, ...rest].join('/') };
  }
  if (first !== 'shared' || rest.length === 0 || !isPlainName(second)) return undefined;
  return { scope: { kind: 'shared', audience: second }, path: rest.join('/') };
}

export function folderOf(scope: Scope): string {
  return scope.kind === 'shared' ? `shared/${scope.audience}` : scope.kind;
}

/**
 * Whether a map in one scope may import from another: only when everybody who sees the first may see the
 * second. A shared or public map never learns whether a private one exists.
 */
export function maySee(from: Scope, to: Scope): boolean {
  if (from.kind === 'private' || to.kind === 'public') return true;
  return from.kind === 'shared' && to.kind === 'shared' && from.audience === to.audience;
}

export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(name);
}
