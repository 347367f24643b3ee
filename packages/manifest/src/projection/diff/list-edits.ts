import type { Alignment } from './alignment.ts';
import { createIndexCounter } from './index-counter.ts';

/** One change to the order or number of a list's items, at the index it has when its turn comes. */
export type ListEdit =
  | { readonly kind: 'remove'; readonly index: number }
  | { readonly kind: 'add'; readonly index: number; readonly item: number }
  | { readonly kind: 'move'; readonly from: number; readonly index: number; readonly item: number };

/**
 * First what goes, from the end. Then the new list from its end: each item that is new or moves is put
 * before the one that follows it. What stays is never touched, and every index is counted, not searched.
 */
export function listEdits({ sourceOf, stays }: Alignment, oldLength: number): ListEdit[] {
  const edits = removals(sourceOf, oldLength);
  const waiting = createIndexCounter(oldLength);
  const placed = createIndexCounter(oldLength + 1);
  for (const source of sourceOf) if (source >= 0) waiting.mark(source);

  /** The old index of the nearest item to the right that stays: where an item is put before. */
  let anchor = oldLength;
  for (let item = sourceOf.length - 1; item >= 0; item--) {
    const source = sourceOf[item] ?? -1;
    if (source >= 0) waiting.unmark(source);
    if (stays[item]) anchor = source;
    else {
      const index = waiting.countBefore(anchor);
      if (source < 0) edits.push({ kind: 'add', index, item });
      else {
        const from = waiting.countBefore(source) + placed.countBefore(source);
        if (from !== index) edits.push({ kind: 'move', from, index, item });
      }
    }
    placed.mark(anchor);
  }
  return edits;
}

function removals(sourceOf: readonly number[], oldLength: number): ListEdit[] {
  const kept = new Set(sourceOf);
  const edits: ListEdit[] = [];
  for (let index = oldLength - 1; index >= 0; index--) {
    if (!kept.has(index)) edits.push({ kind: 'remove', index });
  }
  return edits;
}
