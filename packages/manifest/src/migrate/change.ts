import { isObject } from '@drawbridge/protocol/manifest';
import { type Path, toPointer } from '../source/path.ts';

/** One thing that migrating changed, for the person who signs it off. */
export interface MapChange {
  /** Where it stands, or stood, in the file. */
  readonly pointer: string;
  readonly what: string;
  readonly why: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Takes a part of an older map and gives the new form of it, telling what it did. */
export type Upgrade = (part: Fields, path: Path, note: MigrationNote) => Fields;

export type MigrationNote = (path: Path, what: string, why: string) => void;

export function notebook(): { readonly changes: MapChange[]; readonly note: MigrationNote } {
  const changes: MapChange[] = [];
  return { changes, note: (path, what, why) => changes.push({ pointer: toPointer(path), what, why }) };
}

export const asFields = (value: unknown): Fields => (isObject(value) ? value : {});

/** The same fields in the same order, one of them under another name or with another value. */
export const replaceField = (part: Fields, key: string, next: string, value: unknown): Fields =>
  Object.fromEntries(
    Object.entries(part).map(([name, inner]) => (name === key ? [next, value] : [name, inner])),
  );

export const withoutFields = (part: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(part).filter(([name]) => !keys.includes(name)));

/** A name that keeps data out of the way of the format, and does not overwrite what is there. */
export function unusedName(part: Fields, key: string): string {
  const name = key.startsWith('x_') ? key : `x_${key}`;
  let free = name;
  for (let count = 2; Object.hasOwn(part, free); count++) free = `${name}_${count}`;
  return free;
}

export const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
};
