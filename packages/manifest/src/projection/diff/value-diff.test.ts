import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyPatch, type Operation } from './patch.ts';
import { diffValues } from './value-diff.ts';

const ROWS = Array.from({ length: 1000 }, (_, row) => ({ id: `row-${row}`, name: `Row ${row}`, stock: row }));

const patchOf = (before: unknown, after: unknown): readonly Operation[] => diffValues(before, after).patches;
const deltasOf = (before: unknown, after: unknown) => diffValues(before, after).semantic_deltas;

describe('lists with identified items', () => {
  test('[MAN-196] one item before a list of 1,000 is one operation', () => {
    const first = { id: 'row-new', name: 'New', stock: 3 };
    expect(patchOf({ rows: ROWS }, { rows: [first, ...ROWS] })).toEqual([
      { op: 'add', path: '/rows/0', value: first },
    ]);
  });

  test('[MAN-196] moving the last of 1,000 to the front is one move', () => {
    const rows = [ROWS[999], ...ROWS.slice(0, 999)];
    expect(patchOf({ rows: ROWS }, { rows })).toEqual([{ op: 'move', from: '/rows/999', path: '/rows/0' }]);
  });

  test('[MAN-196] one removed, one added and one changed item are three operations', () => {
    const rows = ROWS.toSpliced(500, 1)
      .toSpliced(10, 0, { id: 'x', name: 'X', stock: 1 })
      .map((row) => (row.id === 'row-900' ? { ...row, stock: 0 } : row));
    expect(patchOf({ rows: ROWS }, { rows })).toEqual([
      { op: 'remove', path: '/rows/500' },
      { op: 'add', path: '/rows/10', value: { id: 'x', name: 'X', stock: 1 } },
      { op: 'replace', path: '/rows/900/stock', value: 0 },
    ]);
  });

  test('items are identified by the first field that distinguishes them', () => {
    const before = [
      { list_id: 'a', name: 'One', done: false },
      { list_id: 'a', name: 'Two', done: false },
    ];
    const after = [{ list_id: 'a', name: 'Zero', done: false }, ...before];
    expect(deltasOf(before, after)).toEqual([{ type: 'entity_added', entity_key: 'name=Zero', path: '/0' }]);
  });
});

describe('lists whose items have a name', () => {
  const card = (title: string) => ({ id: `card-${title}`, title, done: false });
  const lane = (name: string, ...titles: string[]) => ({ name, cards: titles.map(card) });
  const before = { lanes: [lane('To do', 'Sow', 'Water'), lane('Doing', 'Weed'), lane('Done', 'Dig')] };
  const [todo, ...others] = before.lanes;

  test('[MAN-236] a renamed item is one replaced field', () => {
    const after = { lanes: [{ ...todo, name: 'Next' }, ...others] };
    expect(patchOf(before, after)).toEqual([{ op: 'replace', path: '/lanes/0/name', value: 'Next' }]);
    expect(deltasOf(before, after)).toEqual([
      {
        type: 'field_replaced',
        entity_key: 'name=Next',
        path: '/lanes/0/name',
        before: 'To do',
        after: 'Next',
      },
    ]);
  });

  test('[MAN-236] a renamed item that also changed keeps what it has', () => {
    const after = { lanes: [lane('Next', 'Sow', 'Water', 'Rake'), ...others] };
    expect(patchOf(before, after)).toEqual([
      { op: 'replace', path: '/lanes/0/name', value: 'Next' },
      { op: 'add', path: '/lanes/0/cards/2', value: card('Rake') },
    ]);
  });

  test('[MAN-236] an item with other contents is another item', () => {
    const after = { lanes: [lane('Ideas', 'Build a shed'), ...others] };
    expect(deltasOf(before, after)).toMatchObject([{ type: 'entity_removed' }, { type: 'entity_added' }]);
  });

  test('[MAN-236] a changed id is another item', () => {
    const rows = [{ id: 'a', text: 'same' }];
    expect(deltasOf(rows, [{ id: 'b', text: 'same' }])).toMatchObject([
      { type: 'entity_removed', entity_key: 'id=a' },
      { type: 'entity_added', entity_key: 'id=b' },
    ]);
  });
});

describe('lists without identified items', () => {
  test('the second of two equal items is removed', () => {
    expect(patchOf(['tea', 'tea', 'milk'], ['tea', 'milk'])).toEqual([{ op: 'remove', path: '/1' }]);
  });

  test('an item that changed in its position is changed, not replaced', () => {
    const long = 'a text that nobody would want to send twice';
    const before = [{ text: long, done: false }, { text: 'b' }];
    expect(patchOf(before, [{ text: long, done: true }, { text: 'b' }])).toEqual([
      { op: 'replace', path: '/0/done', value: true },
    ]);
  });
});

describe('semantic deltas', () => {
  test('[MAN-193] name the item of every addition, removal, move and field change', () => {
    const before = {
      cards: [
        { id: 'a', title: 'Ask' },
        { id: 'b', title: 'Build' },
        { id: 'c', title: 'Check' },
        { id: 'd', title: 'Drop' },
      ],
    };
    const after = {
      cards: [
        { id: 'c', title: 'Check' },
        { id: 'a', title: 'Ask' },
        { id: 'b', title: 'Build it' },
        { id: 'e', title: 'End' },
      ],
    };
    expect(deltasOf(before, after)).toEqual([
      { type: 'entity_removed', entity_key: 'id=d', path: '/cards/3' },
      { type: 'entity_moved', entity_key: 'id=c', from: '/cards/2', path: '/cards/0' },
      { type: 'entity_added', entity_key: 'id=e', path: '/cards/3' },
      {
        type: 'field_replaced',
        entity_key: 'id=b',
        path: '/cards/2/title',
        before: 'Build',
        after: 'Build it',
      },
    ]);
  });

  test('a field outside lists names no item, and long values are only in the patch', () => {
    expect(deltasOf({ note: 'short' }, { note: 'x'.repeat(201) })).toEqual([
      { type: 'field_replaced', path: '/note', before: 'short' },
    ]);
  });
});

/** Few words and few ids, so that lists share, repeat and shuffle items. */
const word = fc.constantFrom(
  '',
  'a',
  'b',
  '/',
  '~',
  '~1',
  '__proto__',
  'constructor',
  'id',
  'name',
  '0',
  '-',
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      word,
      fc.integer({ min: -2, max: 3 }),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    fc.array(tie('json'), { maxLength: 6 }),
    fc.dictionary(word, tie('json'), { maxKeys: 4 }),
    fc.array(fc.record({ id: fc.integer({ min: 0, max: 6 }), value: tie('json') }), { maxLength: 7 }),
    fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: 9 }), value: word }), {
      maxLength: 10,
      selector: ({ id }) => id,
    }),
  ),
}));

const RUNS = { numRuns: 1000 };

interface Item {
  readonly id?: number;
  readonly text: string;
}
type Edit = (list: readonly Item[], isNamed: boolean) => Item[];

/** Long items, so that sending one again is never shorter. */
const itemOf = (at: number, isNamed: boolean): Item => ({
  ...(isNamed && { id: at }),
  text: `${at} `.repeat(80),
});

let fresh = 1000;
const place = fc.nat(59);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  place.map(
    (at): Edit =>
      (list) =>
        list.toSpliced(at, 1),
  ),
  place.map(
    (at): Edit =>
      (list, isNamed) =>
        list.toSpliced(at, 0, itemOf(fresh++, isNamed)),
  ),
  fc.tuple(place, place).map(
    ([from, to]): Edit =>
      (list) => {
        const rest = list.toSpliced(from, 1);
        return rest.toSpliced(to, 0, ...list.slice(from, from + 1));
      },
  ),
);

/** A JSON round trip: no shared objects, no -0. */
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('properties', () => {
  test('[MAN-195] applying the operations to the old state gives the new one', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const [old, next] = [overTheWire(before), overTheWire(after)];
        const patch = overTheWire(patchOf(old, next));
        if (!isPatch(patch)) throw new Error('the patch is no list');
        const applied = applyPatch(old, patch);
        expect(sorted(applied)).toBe(sorted(next));
        expect(old).toEqual(overTheWire(before));
      }),
      RUNS,
    );
  });

  test('[MAN-195] also for long lists that are cut, shuffled and extended', () => {
    const edit = fc.array(fc.nat(60), { maxLength: 60 });
    fc.assert(
      fc.property(edit, edit, (one, other) => {
        const item = (id: number) => ({ id, name: `item ${id}` });
        const before = [...new Set(one)].map(item);
        const after = [...new Set(other)].map(item);
        expect(applyPatch(before, patchOf(before, after))).toEqual(after);
        const [plainBefore, plainAfter] = [one, other];
        expect(applyPatch(plainBefore, patchOf(plainBefore, plainAfter))).toEqual(plainAfter);
      }),
      RUNS,
    );
  });

  test('[MAN-195] [MAN-196] also after a few edits to a list, with a patch as small as the edits', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(edit, { maxLength: 8 }), (isNamed, edits) => {
        const before = Array.from({ length: 60 }, (_, at) => itemOf(at, isNamed));
        const after = edits.reduce((list, apply) => apply(list, isNamed), before);
        const patch = patchOf(before, after);
        expect(applyPatch(before, patch)).toEqual(after);
        expect(patch.length).toBeLessThanOrEqual(2 * edits.length);
      }),
      RUNS,
    );
  });

  test('a patch is never longer than a full replacement', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const [old, next] = [overTheWire(before), overTheWire(after)];
        const whole = JSON.stringify([{ op: 'replace', path: '', value: next }]);
        expect(JSON.stringify(patchOf(old, next)).length).toBeLessThanOrEqual(whole.length);
      }),
      RUNS,
    );
  });

  test('equal states need no operation, regardless of key order', () => {
    fc.assert(
      fc.property(json, (value) => {
        const state = overTheWire(value);
        expect(diffValues(state, reversedKeys(state))).toEqual({ patches: [], semantic_deltas: [] });
      }),
    );
  });
});

test('diffs 10,000 shuffled items of which half changed', () => {
  const before = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `Item ${id}`, stock: id % 7 }));
  const after = before
    .map((item, index) => ({ ...item, stock: index % 2 ? item.stock : -1 }))
    .toSorted((a, b) => ((a.id * 7919) % 10_007) - ((b.id * 7919) % 10_007));
  expect(applyPatch(before, patchOf(before, after))).toEqual(after);
});

function isPatch(value: unknown): value is Operation[] {
  return Array.isArray(value);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    isPlainObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversedKeys(inner)]),
  );
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
