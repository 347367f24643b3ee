import { isObject } from '@drawbridge/protocol/manifest';
import { type Alignment, alignLists } from './alignment.ts';
import { pointerTo } from './json-pointer.ts';
import { listEdits } from './list-edits.ts';
import type { Operation } from './patch.ts';
import { entityKeyOf, fieldReplaced, type SemanticDelta } from './semantic-delta.ts';
import { createValueIndex, type ValueIndex } from './value-index.ts';

export interface ValueDiff {
  readonly patches: readonly Operation[];
  readonly semantic_deltas: readonly SemanticDelta[];
}

type List = readonly unknown[];
type Fields = Readonly<Record<string, unknown>>;

/** What a diff gathers on its way through both values. */
interface Draft {
  readonly values: ValueIndex;
  readonly patches: Operation[];
  readonly deltas: SemanticDelta[];
  /** Characters of the patches as JSON, commas included. */
  length: number;
}

/** Where the walk is: the pointer in the new value, and the list item that it is inside of. */
interface Spot {
  readonly path: string;
  readonly entityKey?: string;
}

/**
 * The operations that turn `before` into `after`, following what items are and not where they stand.
 * Never longer than one operation that replaces the whole, or the part, that changed.
 */
export function diffValues(before: unknown, after: unknown): ValueDiff {
  const draft: Draft = { values: createValueIndex(), patches: [], deltas: [], length: 0 };
  diffAt(draft, { path: '' }, before, after);
  return { patches: draft.patches, semantic_deltas: draft.deltas };
}

function diffAt(draft: Draft, spot: Spot, before: unknown, after: unknown): void {
  if (areEqual(draft, before, after)) return;
  const start = { count: draft.patches.length, length: draft.length };
  if (Array.isArray(before) && Array.isArray(after)) diffLists(draft, spot, before, after);
  else if (isObject(before) && isObject(after)) diffObjects(draft, spot, before, after);
  else {
    add(draft, { op: 'replace', path: spot.path, value: after });
    draft.deltas.push(fieldReplaced(spot.path, spot.entityKey, before, after));
    return;
  }
  preferShorter(draft, start, { op: 'replace', path: spot.path, value: after });
}

function areEqual({ values }: Draft, before: unknown, after: unknown): boolean {
  return values.idOf(before) === values.idOf(after);
}

function preferShorter(draft: Draft, start: { count: number; length: number }, whole: Operation): void {
  if (draft.length - start.length <= operationLength(draft.values, whole)) return;
  draft.patches.length = start.count;
  draft.length = start.length;
  add(draft, whole);
}

function diffObjects(draft: Draft, spot: Spot, before: Fields, after: Fields): void {
  for (const key of Object.keys(before)) {
    if (Object.hasOwn(after, key)) continue;
    const path = pointerTo(spot.path, key);
    add(draft, { op: 'remove', path });
    draft.deltas.push(fieldReplaced(path, spot.entityKey, before[key], undefined));
  }
  for (const key of Object.keys(after)) {
    const path = pointerTo(spot.path, key);
    if (Object.hasOwn(before, key)) diffAt(draft, { ...spot, path }, before[key], after[key]);
    else {
      add(draft, { op: 'add', path, value: after[key] });
      draft.deltas.push(fieldReplaced(path, spot.entityKey, undefined, after[key]));
    }
  }
}

/** First the order, then what changed inside: by then every kept item has its new index. */
function diffLists(draft: Draft, spot: Spot, before: List, after: List): void {
  const alignment = alignLists(before, after, draft.values);
  for (const edit of listEdits(alignment, before.length)) {
    const path = pointerTo(spot.path, edit.index);
    if (edit.kind === 'remove') add(draft, { op: 'remove', path });
    else if (edit.kind === 'add') add(draft, { op: 'add', path, value: after[edit.item] });
    else add(draft, { op: 'move', from: pointerTo(spot.path, edit.from), path });
  }
  tellOfItems(draft, spot, before, after, alignment);
  for (const [index, source] of alignment.sourceOf.entries()) {
    if (source < 0 || areEqual(draft, before[source], after[index])) continue;
    const path = pointerTo(spot.path, index);
    const inside =
      alignment.field === undefined
        ? { ...spot, path }
        : { path, entityKey: entityKeyOf(after[index], alignment.field) };
    diffAt(draft, inside, before[source], after[index]);
  }
}

function tellOfItems(draft: Draft, spot: Spot, before: List, after: List, alignment: Alignment): void {
  const { field, sourceOf, stays } = alignment;
  const kept = new Set(sourceOf);
  for (const [index, item] of before.entries()) {
    if (kept.has(index)) continue;
    const path = pointerTo(spot.path, index);
    draft.deltas.push({ type: 'entity_removed', entity_key: entityKeyOf(item, field), path });
  }
  for (const [index, item] of after.entries()) {
    if (stays[index]) continue;
    const [path, entity_key] = [pointerTo(spot.path, index), entityKeyOf(item, field)];
    const source = sourceOf[index] ?? -1;
    if (source < 0) draft.deltas.push({ type: 'entity_added', entity_key, path });
    else draft.deltas.push({ type: 'entity_moved', entity_key, from: pointerTo(spot.path, source), path });
  }
}

function add(draft: Draft, operation: Operation): void {
  draft.patches.push(operation);
  draft.length += operationLength(draft.values, operation);
}

/** The characters of an operation in a JSON list, with its comma. */
function operationLength(values: ValueIndex, operation: Operation): number {
  const frame = JSON.stringify({ ...operation, ...('value' in operation && { value: 0 }) }).length;
  return frame + 1 + ('value' in operation ? values.lengthOf(operation.value) - 1 : 0);
}
