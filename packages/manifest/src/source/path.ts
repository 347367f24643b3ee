/** A position in a map: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** RFC 6901: `/tools/0/name`; empty for the whole file. */
export const toPointer = (path: Path): string =>
  path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** For messages: `tools[0].name`. */
export const toWords = (path: Path): string =>
  path.reduce<string>((words, segment) => {
    if (typeof segment === 'number') return `${words}[${segment}]`;
    return words === '' ? segment : `${words}.${segment}`;
  }, '');

/** The keys of `/$defs/name`, of a pointer or its fragment. */
export const segmentsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The path that a `$ref` inside its own schema names, by pointer (`#/$defs/name`) or by anchor (`#name`). */
export const referencedPath = (root: unknown, reference: string): string[] | undefined =>
  reference === '#' || reference.startsWith('#/') ? segmentsOf(reference) : anchorPath(root, reference);

/** Resolves a `$ref` inside its own schema; undefined when there is no such part. */
export function resolveReference(root: unknown, reference: string): unknown {
  const path = referencedPath(root, reference);
  if (path === undefined) return undefined;
  let here: unknown = root;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}

/** Values of these keywords are data, in which `$anchor` means nothing. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

/** The path of the only part with this anchor. */
function anchorPath(root: unknown, reference: string): string[] | undefined {
  const found: string[][] = [];
  const open: { readonly part: unknown; readonly path: string[] }[] = [{ part: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, path } = next;
    if (typeof part !== 'object' || part === null) continue;
    if (`#${Reflect.get(part, '$anchor')}` === reference) found.push(path);
    for (const [key, inner] of Object.entries(part))
      if (!DATA.has(key)) open.push({ part: inner, path: [...path, key] });
  }
  return found.length === 1 ? found[0] : undefined;
}
