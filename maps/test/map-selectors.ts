import type { Manifest } from '@drawbridge/protocol/manifest';

/** A selector that a map relies on. */
export interface Looked {
  /** JSON Pointer in the map. */
  readonly pointer: string;
  /** From the document inwards: a field's selector is looked for inside its record. */
  readonly path: readonly string[];
  readonly urlContains?: string;
}

const SELECTOR_KEYS = ['selector', 'selectors', 'fallback_selectors'];

type Fields = Readonly<Record<string, unknown>>;

/** Every selector of a map that is written out; those made by an expression show when their tool runs. */
export function selectorsOf(map: Manifest): Looked[] {
  return [...walk(map, '', [])];
}

function* walk(value: unknown, pointer: string, outer: readonly string[]): Generator<Looked> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walk(item, `${pointer}/${index}`, outer);
  }
  if (!isFields(value)) return;
  const from = typeof value['closest'] === 'string' ? [value['closest']] : outer;
  const urlContains = typeof value['url_contains'] === 'string' ? { urlContains: value['url_contains'] } : {};
  for (const key of SELECTOR_KEYS) {
    for (const selector of textsIn(value[key])) {
      yield { pointer: `${pointer}/${key}`, path: [...from, selector], ...urlContains };
    }
  }
  if (typeof value['xpath'] === 'string') {
    yield { pointer: `${pointer}/xpath`, path: [...from, `xpath=${value['xpath']}`] };
  }
  const record = isFields(value['fields']) ? [...from, ...textsIn(value['selector'])] : outer;
  for (const [key, inner] of Object.entries(value)) {
    if (!SELECTOR_KEYS.includes(key))
      yield* walk(inner, `${pointer}/${key}`, key === 'fields' ? record : outer);
  }
}

const textsIn = (value: unknown): string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string' && !text.startsWith('{%'));

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
