/** Where something stands in a map: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** RFC 6901: `/tools/0/name`; empty for the whole file. */
export const toPointer = (path: Path): string =>
  path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** As people write it in a sentence: `tools[0].name`. */
export const toWords = (path: Path): string =>
  path.reduce<string>((words, segment) => {
    if (typeof segment === 'number') return `${words}[${segment}]`;
    return words === '' ? segment : `${words}.${segment}`;
  }, '');
