import { isObject } from '@drawbridge/protocol/manifest';
import type { Path } from '../source/path.ts';

/**
 * One object of a map and where it stands. The checks across parts walk a map that may be broken anywhere,
 * so that all of its errors come at once: they take what is there and pass over what is not.
 */
export interface Part {
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/** The object under a key, if there is one. */
export function partOf({ value, path }: Part, key: string): Part | undefined {
  const inner = Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(inner) ? { value: inner, path: [...path, key] } : undefined;
}

/** The objects in the list under a key. */
export function partsOf({ value, path }: Part, key: string): Part[] {
  const list = value[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((inner, index) =>
    isObject(inner) ? [{ value: inner, path: [...path, key, index] }] : [],
  );
}

/** The texts in the list under a key, or the one text there. */
export function textsOf(
  { value, path }: Part,
  key: string,
): { readonly text: string; readonly path: Path }[] {
  const inner = value[key];
  if (typeof inner === 'string') return [{ text: inner, path: [...path, key] }];
  if (!Array.isArray(inner)) return [];
  return inner.flatMap((text, index) =>
    typeof text === 'string' ? [{ text, path: [...path, key, index] }] : [],
  );
}

export const textOf = ({ value }: Part, key: string): string | undefined => {
  const inner = value[key];
  return typeof inner === 'string' ? inner : undefined;
};

/** Every text inside a value, however deep. One path serves the whole walk and is copied for what it yields. */
export function* textsWithin(
  value: unknown,
  path: Path,
): Generator<{ readonly text: string; readonly path: Path }> {
  const here = [...path];
  yield* walk(value);

  function* walk(inner: unknown): Generator<{ readonly text: string; readonly path: Path }> {
    if (typeof inner === 'string') yield { text: inner, path: [...here] };
    if (typeof inner !== 'object' || inner === null) return;
    const isList = Array.isArray(inner);
    for (const [key, item] of Object.entries(inner)) {
      here.push(isList ? Number(key) : key);
      yield* walk(item);
      here.pop();
    }
  }
}

/** The sections of a map that are lists of named parts, and the field that names a part. */
export const SECTIONS = {
  tools: 'name',
  signals: 'name',
  states: 'name',
  transitions: 'name',
  state_projections: 'name',
  context: 'id',
  attachments: 'id',
  checks: 'id',
  imports: 'id',
} as const satisfies Record<string, 'name' | 'id'>;

export type Section = keyof typeof SECTIONS;

export const SECTION_NAMES = Object.keys(SECTIONS).filter((key): key is Section => key in SECTIONS);
