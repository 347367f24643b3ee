import { type ContextLine, type ViewNode, viewFields, viewNode } from '@drawbridge/protocol/semantic';
import { listAt, numberAt, textAt, valueAt } from '../loose-value.ts';
import { oneLine } from './fence.ts';

interface Changes {
  readonly added: readonly unknown[];
  readonly removed: readonly string[];
  readonly changed: readonly NodeEdit[];
}

export interface NodeEdit {
  readonly i: string;
  readonly set: Partial<ViewNode>;
  readonly unset: readonly string[];
  /** States that are no more. */
  readonly lost?: string;
}

/** `~` changed, `+` new, `-` gone. */
export function changeLines({ added, removed, changed }: Changes): string[] {
  const edits = changed.filter(({ set, unset }) => Object.keys(set).length + unset.length > 0);
  return [
    ...edits.map(
      ({ i, set, unset, lost }) =>
        `~${i}${viewFields(set)}${unset.map((field) => withoutWords(field, lost)).join('')}`,
    ),
    ...added.flatMap((each) => nodeFrom(each).map((node) => `+${viewNode(node)}${rowOf(each)}`)),
    ...(removed.length > 0 ? [`-${removed.join(' ')}`] : []),
  ];
}

/** The row of one that is named like others. */
function rowOf(node: unknown): string {
  const row = oneLine(textAt(node, 'in') ?? '', 50);
  return row === '' ? '' : ` (in ${row})`;
}

/** A value that is empty now, and states that are no more. */
function withoutWords(field: string, lost: string | undefined): string {
  if (field === 'v') return ' =""';
  if (field !== 's') return ` -${field}`;
  return lost === undefined ? ' [no state]' : ` [not ${oneLine(lost).replaceAll(',', ', not ')}]`;
}

const FIELDS = ['r', 'n', 'v', 's'] as const;

/** An edit from page code, where an empty text means a removed field. */
export function editFrom(value: unknown): NodeEdit[] {
  const i = textAt(value, 'i');
  if (i === undefined) return [];
  const given = FIELDS.flatMap((field) => {
    const text = textAt(value, field);
    return text === undefined ? [] : [{ field, text }];
  });
  const isGone = ({ field, text }: { field: string; text: string }) => text === '' && field !== 'n';
  const set = given.filter((one) => !isGone(one)).map(({ field, text }) => [field, text]);
  const lost = textAt(value, 'lost');
  const unset = given.filter(isGone).map(({ field }) => field);
  return [{ i, set: Object.fromEntries(set), unset, ...(lost !== undefined && { lost }) }];
}

/** A node from page code. */
export function nodeFrom(value: unknown): ViewNode[] {
  const i = textAt(value, 'i');
  const r = textAt(value, 'r');
  if (i === undefined || r === undefined) return [];
  const v = textAt(value, 'v');
  const s = textAt(value, 's');
  const f = numberAt(value, 'f');
  const depth = textAt(value, 'scr', 'depth');
  const n = textAt(value, 'n') ?? '';
  const m = textAt(value, 'm');
  const [x, y] = listAt(value, 'xy');
  return [
    {
      i,
      r,
      n,
      ...(valueAt(value, 'g') === true && { g: true }),
      ...(m !== undefined && { m }),
      ...(typeof x === 'number' && typeof y === 'number' && { xy: [x, y] }),
      ...(v !== undefined && { v }),
      ...(s !== undefined && { s }),
      ...(f !== undefined && { f }),
      ...(depth !== undefined && { scr: { depth, h: valueAt(value, 'scr', 'h') === true } }),
      ...(valueAt(value, 'occ') === true && { occ: true }),
    },
  ];
}

export function contextFrom(value: unknown): ContextLine[] {
  const text = textAt(value, 'text');
  const at = numberAt(value, 'at');
  if (text === undefined || at === undefined) return [];
  const kind = textAt(value, 'kind');
  return [{ kind: kind === 'heading' || kind === 'note' ? kind : 'text', text, at }];
}
