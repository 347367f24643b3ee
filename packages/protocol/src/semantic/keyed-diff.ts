import type { SemanticNode } from '../interact/semantic-tree.ts';
import { canonicalField, NODE_FIELDS } from './tree-hash.ts';

/** A node and the id of its predecessor in the new tree; null for the first. */
export interface PlacedNode {
  readonly node: SemanticNode;
  readonly after: string | null;
}

/** The new fields of one node, and the names of the removed ones. */
export interface NodeChange {
  readonly i: string;
  readonly set: Partial<Omit<SemanticNode, 'i'>>;
  readonly unset?: readonly string[];
}

export interface TreeDiff {
  readonly added: readonly PlacedNode[];
  readonly removed: readonly string[];
  readonly changed: readonly NodeChange[];
  /** Nodes whose order changed, with their new predecessor. */
  readonly moved: readonly { readonly i: string; readonly after: string | null }[];
}

/** The changes from one tree to the other, keyed by node id. */
export function diffTrees(before: readonly SemanticNode[], after: readonly SemanticNode[]): TreeDiff {
  const old = new Map(before.map((node, index) => [node.i, { node, place: index }]));
  const now = new Set(after.map((node) => node.i));
  const added: PlacedNode[] = [];
  const changed: NodeChange[] = [];
  const moved: { i: string; after: string | null }[] = [];
  const kept = new Set(stayInOrder(after.flatMap((node) => old.get(node.i)?.place ?? [])));
  let previous: string | null = null;
  for (const node of after) {
    const was = old.get(node.i);
    if (was === undefined) added.push({ node, after: previous });
    else {
      const change = changeOf(was.node, node);
      if (change !== undefined) changed.push(change);
      if (!kept.has(was.place)) moved.push({ i: node.i, after: previous });
    }
    previous = node.i;
  }
  return { added, removed: before.filter((node) => !now.has(node.i)).map((node) => node.i), changed, moved };
}

/** Applies a diff to the first tree and returns the second. */
export function applyTreeDiff(before: readonly SemanticNode[], diff: TreeDiff): SemanticNode[] {
  const changes = new Map(diff.changed.map((change) => [change.i, change]));
  const nodes = new Map(before.map((node) => [node.i, changedNode(node, changes.get(node.i))]));
  const gone = new Set([...diff.removed, ...diff.moved.map(({ i }) => i)]);
  const placed = new Map<string | null, SemanticNode>();
  for (const { node, after } of diff.added) placed.set(after, node);
  for (const { i, after } of diff.moved) {
    const node = nodes.get(i);
    if (node !== undefined) placed.set(after, node);
  }
  const tree: SemanticNode[] = [];
  const append = (id: string | null) => {
    for (let next = placed.get(id); next !== undefined; next = placed.get(next.i)) tree.push(next);
  };
  append(null);
  for (const node of nodes.values()) {
    if (gone.has(node.i)) continue;
    tree.push(node);
    append(node.i);
  }
  return tree;
}

function changeOf(before: SemanticNode, after: SemanticNode): NodeChange | undefined {
  const fields = NODE_FIELDS.filter(
    (field) => JSON.stringify(canonicalField(before, field)) !== JSON.stringify(canonicalField(after, field)),
  );
  if (fields.length === 0) return undefined;
  const set = Object.fromEntries(
    fields.filter((field) => after[field] !== undefined).map((field) => [field, after[field]]),
  );
  const unset = fields.filter((field) => after[field] === undefined);
  return { i: after.i, set, ...(unset.length > 0 && { unset }) };
}

function changedNode(node: SemanticNode, change: NodeChange | undefined): SemanticNode {
  if (change === undefined) return node;
  const fields = Object.entries({ ...node, ...change.set });
  const kept = fields.filter(([field]) => change.unset?.includes(field) !== true);
  return { ...Object.fromEntries(kept), i: node.i, r: change.set.r ?? node.r, n: change.set.n ?? node.n };
}

/** The longest increasing subsequence: the fewest nodes move. */
function stayInOrder(indexes: readonly number[]): number[] {
  const tails: number[] = [];
  const previous: number[] = [];
  indexes.forEach((place, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((indexes[tails[middle] ?? 0] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  });
  const run: number[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1)
    run.push(indexes[index] ?? 0);
  return run;
}
