import type { Alignment } from './alignment.ts';
import { createIndexCounter } from './index-counter.ts';

/** One change to the order or number of items. The index is the one at the time of the edit. */
export type ListEdit =
  | { readonly kind: 'remove'; readonly index: number }
  | { readonly kind: 'add'; readonly index: number; readonly item: number }
  | { readonly kind: 'move'; readonly from: number; readonly index: number; readonly item: number };

/**
 * Removes items from the end, then builds the new list from its end: each new or moved item is inserted
 * before its successor. Items that stay are not touched, and indexes are counted in O(log n).
 */
export function listEdits({ sourceOf, stays }: Alignment, oldLength: number): ListEdit[] {
  const edits = removals(sourceOf, oldLength);
  const waiting = createIndexCounter(oldLength);
  const placed = createIndexCounter(oldLength + 1);
  for (const source of sourceOf) if (source >= 0) waiting.mark(source);

  /** The old index of the nearest staying item to the right; items are inserted before it. */
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
