import { isObject } from '@drawbridge/protocol/manifest';
import { ownValue } from '../json-value.ts';
import type { ContentIds } from './content-ids.ts';

type List = readonly unknown[];

/** Fields that identify an item, most reliable first. */
const SURE_FIELDS = ['id', 'key', 'uuid', 'uid', 'guid', '_id'];
const LIKELY_FIELDS = ['url', 'href', 'sku', 'slug', 'number', 'code', 'name', 'title', 'label'];

export interface Identity {
  /** The field that identifies the items; undefined when their content does. */
  readonly field: string | undefined;
  /** The field is a name or an address that may change, rather than an id. */
  readonly mayChange: boolean;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** A key for each item of both lists: equal keys are the same item. Keys are unique within a list. */
export function identify(before: List, after: List, idOf: ContentIds): Identity {
  const field = identityField(before, after);
  const keysOf = (list: List) => (field === undefined ? contentKeys(list, idOf) : fieldKeys(list, field));
  const mayChange = field === undefined || LIKELY_FIELDS.includes(field);
  return { field, mayChange, before: keysOf(before), after: keysOf(after) };
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

const fieldKeys = (list: List, field: string): unknown[] =>
  list.map((item) => (isObject(item) ? ownValue(item, field) : undefined));

/** Equal items are numbered: the second "tea" of one list is the second of the other. */
function contentKeys(list: List, idOf: ContentIds): string[] {
  const turns = new Map<number, number>();
  return list.map((item) => {
    const id = idOf(item);
    const turn = turns.get(id) ?? 0;
    turns.set(id, turn + 1);
    return `${id}#${turn}`;
  });
}
