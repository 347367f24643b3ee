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

/** The keys of `#/$defs/name`. */
export const segmentsOf = (reference: string): string[] =>
  reference
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Resolves `#/$defs/name` inside a schema; undefined when there is no such part. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let here: unknown = root;
  for (const key of segmentsOf(reference)) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}
