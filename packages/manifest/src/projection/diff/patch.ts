import { isObject } from '@drawbridge/protocol/manifest';
import { copyJson, setKey } from '../json-value.ts';
import { pointerKeys } from './json-pointer.ts';

/** The operations of https://www.rfc-editor.org/rfc/rfc6902 that a diff uses. */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** A patch that does not match its value. Never crosses a wire. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/** Applies all operations in order, without changing its arguments. */
export function applyPatch(value: unknown, patch: readonly Operation[]): unknown {
  const root = { value: copyJson(value) };
  for (const operation of patch) applyOne(root, operation);
  return root.value;
}

/** Wraps the value, so that the path '' has a parent. */
type Root = { value: unknown };

function applyOne(root: Root, operation: Operation): void {
  if (operation.op === 'add') insert(locate(root, operation.path), copyJson(operation.value));
  else if (operation.op === 'replace') exchange(locate(root, operation.path), copyJson(operation.value));
  else if (operation.op === 'remove') take(locate(root, operation.path));
  else if (operation.op === 'move') move(root, operation.from, operation.path);
  else throw new PatchError('A diff only adds, replaces, removes and moves.');
}

function move(root: Root, from: string, path: string): void {
  if (path.startsWith(`${from}/`)) throw new PatchError(`"${from}" cannot move into itself, to "${path}".`);
  const value = take(locate(root, from));
  insert(locate(root, path), value);
}

type Index =
  | { readonly kind: 'root'; readonly root: Root }
  | { readonly kind: 'list'; readonly list: unknown[]; readonly index: number; readonly path: string }
  | {
      readonly kind: 'object';
      readonly object: Record<string, unknown>;
      readonly key: string;
      readonly path: string;
    };

function locate(root: Root, path: string): Index {
  const keys = pointerKeys(path);
  if (keys === undefined) throw new PatchError(`"${path}" is not a JSON pointer.`);
  const last = keys.pop();
  if (last === undefined) return { kind: 'root', root };
  const parent = keys.reduce((here, key) => child(here, key, path), root.value);
  if (Array.isArray(parent)) return { kind: 'list', list: parent, index: indexOf(parent, last, path), path };
  if (isObject(parent)) return { kind: 'object', object: parent, key: last, path };
  throw nothingAt(path);
}

function child(parent: unknown, key: string, path: string): unknown {
  if (Array.isArray(parent)) return parent[indexOf(parent, key, path)];
  if (isObject(parent) && Object.hasOwn(parent, key)) return parent[key];
  throw nothingAt(path);
}

function indexOf(list: readonly unknown[], key: string, path: string): number {
  if (key === '-') return list.length;
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) > list.length) throw nothingAt(path);
  return Number(key);
}

function insert(place: Index, value: unknown): void {
  if (place.kind === 'root') place.root.value = value;
  else if (place.kind === 'list') place.list.splice(place.index, 0, value);
  else setKey(place.object, place.key, value);
}

function exchange(place: Index, value: unknown): void {
  requireThere(place);
  if (place.kind === 'list') place.list[place.index] = value;
  else insert(place, value);
}

function take(place: Index): unknown {
  requireThere(place);
  if (place.kind === 'root') throw new PatchError('The whole value cannot be taken away.');
  if (place.kind === 'list') return place.list.splice(place.index, 1)[0];
  const value = place.object[place.key];
  delete place.object[place.key];
  return value;
}

function requireThere(place: Index): void {
  if (place.kind === 'list' && place.index >= place.list.length) throw nothingAt(place.path);
  if (place.kind === 'object' && !Object.hasOwn(place.object, place.key)) throw nothingAt(place.path);
}

const nothingAt = (path: string): PatchError => new PatchError(`There is nothing at "${path}".`);
