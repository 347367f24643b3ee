import {
  fitBudget,
  fitContext,
  type LeftOut,
  nodeBudget,
  type Snapshot,
  type SnapshotOptions,
} from '@drawbridge/page';
import { type ContextLine, formatLines, hashTree, type SemanticNode } from '@drawbridge/protocol/semantic';

const MOST_PARTS_NAMED = 8;

/** Each frame has kept to the budget by itself; together they keep to it once more. `parts` are the frames' own. */
export function withinBudget(
  joined: Snapshot,
  parts: readonly Snapshot[],
  options: SnapshotOptions,
): Snapshot {
  const nodes = joined.page.interactive_tree;
  const render = (some: readonly SemanticNode[]) =>
    options.form === 'lines' ? formatLines(some) : JSON.stringify(some);
  const { places, ...filtered } = fitBudget(nodes, nodeBudget(options), render, aboutOf(joined.context));
  const left = parts.flatMap(({ left_out }) => left_out ?? []);
  if (places.length === nodes.length && left.length === 0 && joined.context.length === 0) return joined;
  const kept = places.flatMap((place) => nodes[place] ?? []);
  const moved = joined.context.map((line) => ({
    ...line,
    at: places.filter((place) => place < line.at).length,
  }));
  const context = fitContext(moved, kept, options);
  const ids = new Set(kept.map(({ i }) => i));
  const { semanticNodes, page } = joined;
  return {
    ...joined,
    ...filtered,
    ...leftOutOf([...(filtered.left_out ? [filtered.left_out] : []), ...left], parts, filtered.filter_reason),
    page: { ...page, interactive_tree: kept },
    context,
    hash: hashTree(kept),
    ...(options.form === 'lines' && { text: formatLines(kept, context) }),
    ...(semanticNodes && { semanticNodes: semanticNodes.filter(({ id }) => ids.has(String(id))) }),
  };
}

/** What any of them left out is left out of the whole. */
function leftOutOf(left: readonly LeftOut[], parts: readonly Snapshot[], reason: string | undefined) {
  const [first] = left;
  if (first === undefined) return {};
  const count = parts.reduce(
    (sum, { original_node_count, page }) => sum + (original_node_count ?? page.interactive_tree.length),
    0,
  );
  const filter_reason = reason ?? parts.find((part) => part.filter_reason !== undefined)?.filter_reason;
  return {
    dom_filtered: true as const,
    ...(filter_reason !== undefined && { filter_reason }),
    original_node_count: count,
    left_out: {
      nodes: left.reduce((sum, { nodes }) => sum + nodes, 0),
      parts: left.flatMap(({ parts: named }) => named).slice(0, MOST_PARTS_NAMED),
      how: first.how,
    },
  };
}

/** The heading over a node, or failing that the last text before it. */
function aboutOf(context: readonly ContextLine[]): (place: number) => string {
  const headings = context.filter(({ kind }) => kind === 'heading');
  const lines = headings.length > 0 ? headings : context;
  return (place) => lines.findLast(({ at }) => at <= place)?.text ?? '';
}
