import { isObject } from '@drawbridge/protocol/manifest';
import type { Path } from '../source/path.ts';

/**
 * An object of a map and its path. Checks across parts must handle a broken map, so that all errors are
 * reported at once: they skip missing and mistyped parts.
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

/** The texts in the list under a key, or the single text there. */
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

/** Every text inside a value, at any depth. The walk mutates one path and copies it for each result. */
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

/** The sections that are lists of named parts, and the field with the name. */
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
