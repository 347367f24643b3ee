import { isObject } from '@drawbridge/protocol/manifest';
import { type Path, toPointer } from '../source/path.ts';

/** One change by a migration, for the person who reviews it. */
export interface MapChange {
  /** The position in the file, before or after the change. */
  readonly pointer: string;
  readonly what: string;
  readonly why: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Upgrades one part of an older map and reports the changes. */
export type Upgrade = (part: Fields, path: Path, note: MigrationNote) => Fields;

export type MigrationNote = (path: Path, what: string, why: string) => void;

export function notebook(): { readonly changes: MapChange[]; readonly note: MigrationNote } {
  const changes: MapChange[] = [];
  return { changes, note: (path, what, why) => changes.push({ pointer: toPointer(path), what, why }) };
}

export const asFields = (value: unknown): Fields => (isObject(value) ? value : {});

/** Replaces one field, and keeps the order of the fields. */
export const replaceField = (part: Fields, key: string, next: string, value: unknown): Fields =>
  Object.fromEntries(
    Object.entries(part).map(([name, inner]) => (name === key ? [next, value] : [name, inner])),
  );

export const withoutFields = (part: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(part).filter(([name]) => !keys.includes(name)));

/** A free name for data that the format does not define. */
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
