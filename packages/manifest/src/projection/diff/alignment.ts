import { isObject } from '@drawbridge/protocol/manifest';
import type { ContentIds } from './content-ids.ts';
import { identify } from './identity.ts';
import { longestRise } from './longest-rise.ts';

type List = readonly unknown[];

/** Matches each item of the new list to an item of the old one, and marks those that need not move. */
export interface Alignment {
  readonly field: string | undefined;
  /** By new index: the old index, or -1 for a new item. */
  readonly sourceOf: readonly number[];
  /** By new index: whether the item keeps its relative order. */
  readonly stays: readonly boolean[];
}

export function alignLists(before: List, after: List, idOf: ContentIds): Alignment {
  const identity = identify(before, after, idOf);
  const oldIndex = new Map(identity.before.map((key, index) => [key, index]));
  const sourceOf = identity.after.map((key) => oldIndex.get(key) ?? -1);
  const stays = longestRise(sourceOf);
  const { field } = identity;
  const isSame =
    field === undefined
      ? sameKind
      : (old: unknown, item: unknown) => isRenamed(withoutField(old, field), withoutField(item, field), idOf);
  if (identity.mayChange) pairWithinGaps(before, after, { sourceOf, stays, isSame });
  return { field: identity.field, sourceOf, stays };
}

interface Gaps {
  readonly sourceOf: number[];
  readonly stays: boolean[];
  readonly isSame: (old: unknown, item: unknown) => boolean;
}

/**
 * Without a naming field, a changed item has no match, nor has a renamed one with it. Unmatched items between the
 * same two staying items are paired in order, as changed items, when they are the same.
 */
function pairWithinGaps(before: List, after: List, { sourceOf, stays, isSame }: Gaps): void {
  const taken = new Set(sourceOf);
  let oldStart = 0;
  let newStart = 0;
  for (let end = 0; end <= after.length; end++) {
    if (end < after.length && !stays[end]) continue;
    const oldEnd = sourceOf[end] ?? before.length;
    const left = range(oldStart, oldEnd).filter((index) => !taken.has(index));
    const fresh = range(newStart, end).filter((index) => sourceOf[index] === -1);
    for (const index of fresh) {
      const old = left.slice(0, FARTHEST_PAIR).findIndex((each) => isSame(before[each], after[index]));
      if (old < 0) continue;
      sourceOf[index] = left[old] ?? -1;
      stays[index] = true;
      left.splice(0, old + 1);
    }
    oldStart = oldEnd + 1;
    newStart = end + 1;
  }
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);

function sameKind(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) return Array.isArray(other);
  return isObject(one) ? isObject(other) : typeof other !== 'object' || other === null;
}

/** Bounds the comparisons of a gap with many new items. */
const FARTHEST_PAIR = 8;

const withoutField = (item: unknown, field: string): unknown =>
  isObject(item) ? Object.fromEntries(Object.entries(item).filter(([key]) => key !== field)) : item;

/** At least half of what else an item has is the same. An item with nothing but its name is another one. */
function isRenamed(old: unknown, item: unknown, idOf: ContentIds): boolean {
  if (!isObject(old) || !isObject(item)) return false;
  const keys = new Set([...Object.keys(old), ...Object.keys(item)]);
  const same = [...keys].filter((key) => isAlike(old[key], item[key], idOf));
  return same.length > 0 && same.length * 2 >= keys.size;
}

function isAlike(old: unknown, item: unknown, idOf: ContentIds): boolean {
  if (idOf(old) === idOf(item)) return true;
  if (!Array.isArray(old) || !Array.isArray(item)) return isRenamed(old, item, idOf);
  const known = new Set(old.map(idOf));
  const shared = item.filter((each) => known.has(idOf(each))).length;
  return shared > 0 && shared * 2 >= Math.max(old.length, item.length);
}
