import {
  type ContextLine,
  formatDiffLines,
  formatLines,
  type SemanticNode,
} from '@drawbridge/protocol/semantic';
import { listAt, numberAt, textAt, valueAt } from '../loose-value.ts';

/** Nodes as lines without coordinates, which are useless for actions by id and take two fifths of a line's tokens. */
export function nodeLines(nodes: readonly unknown[], context: readonly unknown[] = []): string {
  return formatLines(nodes.flatMap(nodeFrom), context.flatMap(contextFrom));
}

interface Changes {
  readonly added: readonly unknown[];
  readonly removed: readonly string[];
  readonly changed: readonly NodeEdit[];
}

export interface NodeEdit {
  readonly i: string;
  readonly set: Partial<SemanticNode>;
  readonly unset: readonly string[];
}

/** `-` gone, `~` changed, `+` new. */
export function changeLines({ added, removed, changed }: Changes): string[] {
  const edits = changed.filter(({ set, unset }) => Object.keys(set).length + unset.length > 0);
  const diff = formatDiffLines({
    added: [],
    removed,
    changed: edits.map(({ i, set, unset }) => ({ i, set, ...(unset.length > 0 && { unset }) })),
    moved: [],
  });
  const fresh = added.flatMap(nodeFrom).map((node) => `+${formatLines([node])}`);
  return [...(diff === '' ? [] : diff.split('\n')), ...fresh];
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
  return [{ i, set: Object.fromEntries(set), unset: given.filter(isGone).map(({ field }) => field) }];
}

/** An edit of a keyed diff; a moved place is not a change. */
export function diffEditFrom(value: unknown): NodeEdit[] {
  const [edit] = editFrom({ ...objectOf(valueAt(value, 'set')), i: valueAt(value, 'i') });
  if (edit === undefined) return [];
  const occ = valueAt(value, 'set', 'occ');
  const unset = listAt(value, 'unset').filter(
    (field) => typeof field === 'string' && field !== 'xy' && field !== 'box',
  );
  return [
    {
      ...edit,
      set: { ...edit.set, ...(typeof occ === 'boolean' && { occ }) },
      unset: [...edit.unset, ...unset.map(String)],
    },
  ];
}

function nodeFrom(value: unknown): SemanticNode[] {
  const i = textAt(value, 'i');
  const r = textAt(value, 'r');
  if (i === undefined || r === undefined) return [];
  const v = textAt(value, 'v');
  const s = textAt(value, 's');
  const f = numberAt(value, 'f');
  const depth = textAt(value, 'scr', 'depth');
  return [
    {
      i,
      r,
      n: textAt(value, 'n') ?? '',
      ...(v !== undefined && { v }),
      ...(s !== undefined && { s }),
      ...(f !== undefined && { f }),
      ...(depth !== undefined && { scr: { depth, h: valueAt(value, 'scr', 'h') === true } }),
      ...(valueAt(value, 'occ') === true && { occ: true }),
    },
  ];
}

function contextFrom(value: unknown): ContextLine[] {
  const text = textAt(value, 'text');
  const at = numberAt(value, 'at');
  if (text === undefined || at === undefined) return [];
  return [{ kind: textAt(value, 'kind') === 'heading' ? 'heading' : 'text', text, at }];
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
