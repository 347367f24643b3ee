import {
  fitBudget,
  fitContext,
  fitView,
  type LeftOut,
  nodeBudget,
  type Snapshot,
  type SnapshotOptions,
} from '@drawbridge/page';
import {
  type ContextLine,
  estimateTokens,
  formatLines,
  hashTree,
  type SemanticNode,
} from '@drawbridge/protocol/semantic';

const MOST_PARTS_NAMED = 8;

/** Cuts the joined snapshot to the budget, which each frame already met alone. `parts` are the frames' snapshots. */
export function withinBudget(
  joined: Snapshot,
  parts: readonly Snapshot[],
  options: SnapshotOptions,
): Snapshot {
  if (options.form === 'view') return viewWithinBudget(joined, parts, options);
  const nodes = joined.page.interactive_tree;
  const render = (some: readonly SemanticNode[]) =>
    options.form === 'lines' ? formatLines(some) : JSON.stringify(some);
  const { indexes, ...filtered } = fitBudget(nodes, nodeBudget(options), render, aboutOf(joined.context));
  const left = parts.flatMap(({ left_out }) => left_out ?? []);
  if (indexes.length === nodes.length && left.length === 0 && joined.context.length === 0) return joined;
  const kept = indexes.flatMap((index) => nodes[index] ?? []);
  const moved = joined.context.map((line) => ({
    ...line,
    at: indexes.filter((index) => index < line.at).length,
  }));
  const context = fitContext(moved, kept, options);
  const ids = new Set(kept.map(({ i }) => i));
  const { semanticNodes, page } = joined;
  return {
    ...joined,
    ...leftOutOf(kept, [...(filtered.left_out ? [filtered.left_out] : []), ...left], parts, render),
    ...(filtered.filter_reason !== undefined && { filter_reason: filtered.filter_reason }),
    page: { ...page, interactive_tree: kept },
    context,
    hash: hashTree(kept),
    ...(options.form === 'lines' && { text: formatLines(kept, context) }),
    ...(semanticNodes && { semanticNodes: semanticNodes.filter(({ id }) => ids.has(String(id))) }),
  };
}

/** The same for a view, in which texts count too. */
function viewWithinBudget(joined: Snapshot, parts: readonly Snapshot[], options: SnapshotOptions): Snapshot {
  const { query: _query, ...budget } = options;
  const nodes = joined.page.interactive_tree;
  const { indexes, context, left_out } = fitView(nodes, joined.context, budget);
  const kept = indexes.flatMap((index) => nodes[index] ?? []);
  const left = [left_out, ...parts.map((part) => part.left_out)].flatMap((part) => part ?? []);
  const sum = (of: 'nodes' | 'texts') => left.reduce((total, part) => total + (part[of] ?? 0), 0);
  return {
    ...joined,
    page: { ...joined.page, interactive_tree: kept },
    context,
    hash: hashTree(kept),
    ...(left[0] && {
      left_out: {
        nodes: sum('nodes'),
        texts: sum('texts'),
        parts: left.flatMap((part) => part.parts).slice(0, MOST_PARTS_NAMED),
        how: left[0].how,
      },
    }),
  };
}

/** Sums up what the frames left out. */
function leftOutOf(
  kept: readonly SemanticNode[],
  left: readonly LeftOut[],
  parts: readonly Snapshot[],
  render: (nodes: readonly SemanticNode[]) => string,
) {
  const [first] = left;
  if (first === undefined) return {};
  const nodes = left.reduce((sum, part) => sum + part.nodes, 0);
  // Node count of all frames before they were cut.
  const whole = parts.reduce(
    (sum, { page, token_reduction = 0 }) =>
      sum + estimateTokens(render(page.interactive_tree)) / Math.max(0.01, 1 - token_reduction / 100),
    0,
  );
  const reason = parts.find(({ filter_reason }) => filter_reason !== undefined)?.filter_reason;
  return {
    dom_filtered: true as const,
    ...(reason !== undefined && { filter_reason: reason }),
    original_node_count: kept.length + nodes,
    token_reduction: Math.round((1 - estimateTokens(render(kept)) / Math.max(1, whole)) * 100),
    left_out: {
      nodes,
      parts: left.flatMap(({ parts: named }) => named).slice(0, MOST_PARTS_NAMED),
      how: first.how,
    },
  };
}

/** The heading above a node, else the last text before it. */
function aboutOf(context: readonly ContextLine[]): (index: number) => string {
  const headings = context.filter(({ kind }) => kind === 'heading');
  const lines = headings.length > 0 ? headings : context;
  return (index) => lines.findLast(({ at }) => at <= index)?.text ?? '';
}
