import { isObject } from '@drawbridge/protocol/manifest';
import { jsonText } from '../json-value.ts';
import { type Alignment, alignLists } from './alignment.ts';
import { type ContentIds, createContentIds } from './content-ids.ts';
import { pointerTo } from './json-pointer.ts';
import { listEdits } from './list-edits.ts';
import type { Operation } from './patch.ts';
import { entityKeyOf, fieldReplaced, type SemanticDelta } from './semantic-delta.ts';
import { entityAround, pathOf, ROOT, type Spot } from './spot.ts';

export interface ValueDiff {
  readonly patches: readonly Operation[];
  readonly semantic_deltas: readonly SemanticDelta[];
}

type List = readonly unknown[];
type Fields = Readonly<Record<string, unknown>>;

/** Results collected while walking both values. */
interface Draft {
  readonly idOf: ContentIds;
  readonly patches: Operation[];
  readonly deltas: SemanticDelta[];
  /** Length of the patches as JSON, commas included. */
  length: number;
}

/**
 * The operations that turn `before` into `after`, matching items by identity rather than position. Never
 * longer than one operation that replaces the whole, or the changed part.
 */
export function diffValues(before: unknown, after: unknown): ValueDiff {
  const draft: Draft = { idOf: createContentIds(), patches: [], deltas: [], length: 0 };
  diffAt(draft, ROOT, before, after);
  return { patches: draft.patches, semantic_deltas: draft.deltas };
}

function diffAt(draft: Draft, spot: Spot, before: unknown, after: unknown): void {
  if (before === after) return;
  const start = { count: draft.patches.length, length: draft.length };
  if (Array.isArray(before) && Array.isArray(after)) diffLists(draft, spot, before, after);
  else if (isObject(before) && isObject(after)) diffObjects(draft, spot, before, after);
  else {
    const path = pathOf(spot);
    put(draft, { op: 'replace', path, value: after });
    draft.deltas.push(fieldReplaced(path, entityAround(spot), before, after));
    return;
  }
  if (draft.length > start.length) preferShorter(draft, start, spot, after);
}

function preferShorter(
  draft: Draft,
  start: { readonly count: number; readonly length: number },
  spot: Spot,
  after: unknown,
): void {
  const whole: Operation = { op: 'replace', path: pathOf(spot), value: after };
  if (draft.length - start.length <= lengthOf(whole)) return;
  draft.patches.length = start.count;
  draft.length = start.length;
  put(draft, whole);
}

function diffObjects(draft: Draft, spot: Spot, before: Fields, after: Fields): void {
  for (const key of Object.keys(before)) {
    if (Object.hasOwn(after, key)) continue;
    const path = pointerTo(pathOf(spot), key);
    put(draft, { op: 'remove', path });
    draft.deltas.push(fieldReplaced(path, entityAround(spot), before[key], undefined));
  }
  for (const key of Object.keys(after)) {
    if (Object.hasOwn(before, key)) {
      diffAt(draft, { parent: spot, key }, before[key], after[key]);
      continue;
    }
    const path = pointerTo(pathOf(spot), key);
    put(draft, { op: 'add', path, value: after[key] });
    draft.deltas.push(fieldReplaced(path, entityAround(spot), undefined, after[key]));
  }
}

/** Order first, then changes inside items, because by then every kept item has its new index. */
function diffLists(draft: Draft, spot: Spot, before: List, after: List): void {
  const alignment = alignLists(before, after, draft.idOf);
  const { field, sourceOf } = alignment;
  const path = pathOf(spot);
  for (const edit of listEdits(alignment, before.length)) {
    const at = pointerTo(path, edit.index);
    if (edit.kind === 'remove') put(draft, { op: 'remove', path: at });
    else if (edit.kind === 'add') put(draft, { op: 'add', path: at, value: after[edit.item] });
    else put(draft, { op: 'move', from: pointerTo(path, edit.from), path: at });
  }
  tellOfItems(draft, path, before, after, alignment);
  for (const [index, source] of sourceOf.entries()) {
    if (source < 0) continue;
    const item = after[index];
    const inside = { parent: spot, key: index, ...(field !== undefined && { entity: { item, field } }) };
    diffAt(draft, inside, before[source], item);
  }
}

function tellOfItems(draft: Draft, path: string, before: List, after: List, alignment: Alignment): void {
  const { field, sourceOf, stays } = alignment;
  const kept = new Set(sourceOf);
  for (const [index, item] of before.entries()) {
    if (kept.has(index)) continue;
    const entity_key = entityKeyOf(item, field);
    draft.deltas.push({ type: 'entity_removed', entity_key, path: pointerTo(path, index) });
  }
  for (const [index, item] of after.entries()) {
    if (stays[index]) continue;
    const told = { entity_key: entityKeyOf(item, field), path: pointerTo(path, index) };
    const source = sourceOf[index] ?? -1;
    if (source < 0) draft.deltas.push({ type: 'entity_added', ...told });
    else draft.deltas.push({ type: 'entity_moved', ...told, from: pointerTo(path, source) });
  }
}

function put(draft: Draft, operation: Operation): void {
  draft.patches.push(operation);
  draft.length += lengthOf(operation);
}

/** Length of an operation in a JSON list, with its comma. */
const lengthOf = (operation: Operation): number => jsonText(operation).length + 1;
