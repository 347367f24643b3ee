import { isObject } from '@drawbridge/protocol/manifest';
import { ownValue } from '../json-value.ts';
import type { ValueIndex } from './value-index.ts';

type List = readonly unknown[];

/** Fields that tell one thing from another, the surest first. */
const SURE_FIELDS = ['id', 'key', 'uuid', 'uid', 'guid', '_id'];
const LIKELY_FIELDS = ['url', 'href', 'sku', 'slug', 'number', 'code', 'name', 'title', 'label'];

export interface Identity {
  /** The field that names the items; without one, an item is what it holds. */
  readonly field: string | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A key for each item of both lists: the same key in both is the same item. Keys are unique in a list. */
export function identify(before: List, after: List, values: ValueIndex): Identity {
  const field = identityField(before, after);
  const keysOf = (list: List) => (field === undefined ? contentKeys(list, values) : fieldKeys(list, field));
  return { field, before: keysOf(before), after: keysOf(after) };
}

function identityField(before: List, after: List): string | undefined {
  const first = before[0] ?? after[0];
  if (!isObject(first)) return undefined;
  return candidates(first).find((field) => tellsApart(before, field) && tellsApart(after, field));
}

function candidates(item: Record<string, unknown>): string[] {
  const named = Object.keys(item).filter((key) => /(_id|Id)$/.test(key));
  return [...SURE_FIELDS, ...named, ...LIKELY_FIELDS].filter((field) => Object.hasOwn(item, field));
}

function tellsApart(list: List, field: string): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    const value = isObject(item) ? ownValue(item, field) : undefined;
    if ((typeof value !== 'string' && typeof value !== 'number') || seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}

function fieldKeys(list: List, field: string): string[] {
  return list.map((item) => JSON.stringify(isObject(item) ? ownValue(item, field) : undefined));
}

/** Equal items are told apart by their turn: the second "tea" of one list is the second of the other. */
function contentKeys(list: List, values: ValueIndex): string[] {
  const turns = new Map<number, number>();
  return list.map((item) => {
    const id = values.idOf(item);
    const turn = turns.get(id) ?? 0;
    turns.set(id, turn + 1);
    return `${id}#${turn}`;
  });
}
