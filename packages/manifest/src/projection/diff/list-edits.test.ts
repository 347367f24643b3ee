import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignLists } from './alignment.ts';
import { createContentIds } from './content-ids.ts';
import { type ListEdit, listEdits } from './list-edits.ts';

/** Applies the edits alone: a patch could hide a wrong edit by replacing the whole list. */
function edited<Item>(before: readonly Item[], after: readonly Item[]): Item[] {
  const list = [...before];
  for (const edit of editsOf(before, after)) {
    if (edit.kind === 'remove') list.splice(edit.index, 1);
    else if (edit.kind === 'add') list.splice(edit.index, 0, ...after.slice(edit.item, edit.item + 1));
    else list.splice(edit.index, 0, ...list.splice(edit.from, 1));
  }
  return list;
}

function editsOf(before: readonly unknown[], after: readonly unknown[]): ListEdit[] {
  return listEdits(alignLists(before, after, createContentIds()), before.length);
}

const ids = fc.uniqueArray(fc.nat(40), { maxLength: 40 });
const named = (list: readonly number[]) => list.map((id) => ({ id }));

test('[MAN-196] edits turn any list of named items into any other', () => {
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      const [before, after] = [named(one), named(other)];
      expect(edited(before, after)).toEqual(after);
    }),
    { numRuns: 3000 },
  );
});

test('[MAN-196] edits give a list of equal length, with each unnamed item equal or changed in its position', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 });
  fc.assert(
    fc.property(items, items, (before, after) => {
      const { sourceOf } = alignLists(before, after, createContentIds());
      const list = edited(before, after).map((item, index) => {
        const source = sourceOf[index] ?? -1;
        return source >= 0 && before[source] !== after[index] ? after[index] : item;
      });
      expect(list).toEqual(after);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['nothing', 'abc', 'abc', ''],
  ['a turn to the front', 'abcdef', 'fabcde', 'move'],
  ['a turn to the end', 'abcdef', 'bcdefa', 'move'],
  ['two that change places far apart', 'abcdef', 'fbcdea', 'move move'],
  ['a whole turn around', 'abcd', 'dcba', 'move move move'],
  ['one for another', 'abc', 'axc', 'remove add'],
])('%s: as few edits as can be', (_, before, after, kinds) => {
  const list = (text: string) => [...text].map((id) => ({ id }));
  const edits = editsOf(list(before), list(after));
  expect(edits.map(({ kind }) => kind).join(' ')).toBe(kinds);
});
