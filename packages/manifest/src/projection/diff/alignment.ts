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
  if (identity.field === undefined) pairWithinGaps(before, after, sourceOf, stays);
  return { field: identity.field, sourceOf, stays };
}

/**
 * Without a naming field, a changed item has no match. Unmatched items between the same two staying items are
 * paired in order, as changed items, when they are of one kind.
 */
function pairWithinGaps(before: List, after: List, sourceOf: number[], stays: boolean[]): void {
  const taken = new Set(sourceOf);
  let oldStart = 0;
  let newStart = 0;
  for (let end = 0; end <= after.length; end++) {
    if (end < after.length && !stays[end]) continue;
    const oldEnd = sourceOf[end] ?? before.length;
    const left = range(oldStart, oldEnd).filter((index) => !taken.has(index));
    const fresh = range(newStart, end).filter((index) => sourceOf[index] === -1);
    for (const [turn, index] of fresh.entries()) {
      const old = left[turn];
      if (old === undefined || !sameKind(before[old], after[index])) continue;
      sourceOf[index] = old;
      stays[index] = true;
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
