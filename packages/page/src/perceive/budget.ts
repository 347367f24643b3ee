import {
  type ContextLine,
  estimateTokens,
  formatLines,
  type SemanticNode,
} from '@drawbridge/protocol/semantic';
import { byteLength } from './byte-length.ts';
import { chunkNodes, RAG, type RankedChunk, rankChunks, rankNodes } from './dom-rag.ts';

export interface BudgetOptions {
  readonly query?: string;
  readonly max_tokens?: number | undefined;
  readonly max_bytes?: number | undefined;
  readonly max_nodes?: number;
}

/** The omitted nodes, and how to get them. */
export interface LeftOut {
  readonly nodes: number;
  /** Texts that were left out or cut; only in a view. */
  readonly texts?: number;
  readonly parts: readonly {
    readonly about: string;
    readonly nodes: number;
    readonly y: readonly [number, number];
  }[];
  readonly how: string;
}

export interface Filtered {
  /** Kept indexes in page order. */
  readonly indexes: readonly number[];
  readonly dom_filtered?: true;
  readonly filter_reason?: string;
  readonly original_node_count?: number;
  readonly token_reduction?: number;
  readonly left_out?: LeftOut;
}

interface Size {
  readonly nodes: number;
  readonly tokens: number;
  readonly bytes: number;
}

const MOST_PARTS_NAMED = 8;
const HOW = 'Ask with another query, with a region, or with a larger max_tokens.';

/** Cuts a tree to its budget by relevance to the query. */
export function fitBudget(
  nodes: readonly SemanticNode[],
  options: BudgetOptions,
  render: (nodes: readonly SemanticNode[]) => string,
  aboutOf: (index: number) => string,
): Filtered {
  const limits = limitsOf(nodes, options);
  const all = nodes.map((_, index) => index);
  if (limits === undefined) return { indexes: all };
  const whole = sizeOf(render(nodes), nodes.length);
  if (isWithin(whole, limits)) return { indexes: all };
  const ranked = rankChunks(chunkNodes(nodes, aboutOf), nodes, options.query);
  const chosen = choose(ranked, nodes, options.query, limits, render);
  const indexes = [...chosen].sort((one, other) => one - other);
  const kept = estimateTokens(render(indexes.flatMap((index) => nodes[index] ?? [])));
  return {
    indexes,
    dom_filtered: true,
    filter_reason: reasonFor(nodes.length, limits, options),
    original_node_count: nodes.length,
    token_reduction: Math.round((1 - kept / whole.tokens) * 100),
    left_out: leftOut(ranked, chosen),
  };
}

/** Share of a budget for headings and texts, when requested. */
const CONTEXT_SHARE = 0.3;

export function nodeBudget(options: BudgetOptions & { readonly context?: boolean }): BudgetOptions {
  if (options.context !== true) return options;
  const share = (limit: number | undefined) => limit && Math.floor(limit * (1 - CONTEXT_SHARE));
  return { ...options, max_tokens: share(options.max_tokens), max_bytes: share(options.max_bytes) };
}

/** The headings and texts that fit in the remaining budget. */
export function fitContext(
  context: readonly ContextLine[],
  nodes: readonly SemanticNode[],
  { max_tokens: tokens = Infinity, max_bytes: bytes = Infinity }: BudgetOptions,
): readonly ContextLine[] {
  const lines = [...context];
  while (lines.length > 0 && !isWithin(sizeOf(formatLines(nodes, lines), 0), { nodes: 0, tokens, bytes }))
    lines.pop();
  return lines;
}

/** A budget applies when one is set, or when a query comes with a large tree. */
function limitsOf(nodes: readonly SemanticNode[], options: BudgetOptions): Size | undefined {
  const { query, max_tokens, max_bytes, max_nodes } = options;
  const isSet = (max_tokens ?? max_bytes ?? max_nodes) !== undefined;
  if (!isSet && (query === undefined || nodes.length <= RAG.filterAbove)) return undefined;
  return {
    nodes: max_nodes ?? (isSet ? Infinity : RAG.maxNodes),
    tokens: max_tokens ?? (isSet ? Infinity : RAG.maxTokens),
    bytes: max_bytes ?? Infinity,
  };
}

function sizeOf(text: string, nodes: number): Size {
  return { nodes, tokens: estimateTokens(text), bytes: byteLength(text) };
}

function isWithin(size: Size, limits: Size): boolean {
  return size.nodes <= limits.nodes && size.tokens <= limits.tokens && size.bytes <= limits.bytes;
}

/** Whole chunks while they fit, then the best nodes of the next. */
function choose(
  ranked: readonly RankedChunk[],
  nodes: readonly SemanticNode[],
  query: string | undefined,
  limits: Size,
  render: (nodes: readonly SemanticNode[]) => string,
): Set<number> {
  const chosen = new Set<number>();
  let taken = sizeOf(render([]), 0);
  const take = (index: number): boolean => {
    const node = nodes[index];
    if (node === undefined) return true;
    const { tokens, bytes } = sizeOf(`${render([node])}\n`, 1);
    taken = { nodes: taken.nodes + 1, tokens: taken.tokens + tokens + 1, bytes: taken.bytes + bytes };
    if (isWithin(taken, limits)) chosen.add(index);
    return chosen.has(index);
  };
  for (const chunk of ranked) {
    if (chunk.relevance < RAG.minRelevance) continue;
    for (const index of rankNodes(chunk.indexes, nodes, query)) if (!take(index)) return chosen;
  }
  return chosen;
}

function reasonFor(count: number, limits: Size, { query }: BudgetOptions): string {
  const budget = Object.entries(limits)
    .filter(([, limit]) => limit < Infinity)
    .map(([unit, limit]) => `${limit} ${unit}`);
  const kept = query === undefined ? 'the first of the page' : 'the parts nearest to the query';
  return `${count} nodes are more than the budget of ${budget.join(' and ')}: ${kept} kept.`;
}

function leftOut(ranked: readonly RankedChunk[], chosen: ReadonlySet<number>): LeftOut {
  const parts = ranked
    .map(({ indexes, about, top, bottom }) => ({
      about,
      nodes: indexes.filter((index) => !chosen.has(index)).length,
      y: [top, bottom] as const,
    }))
    .filter((part) => part.nodes > 0);
  const total = parts.reduce((sum, part) => sum + part.nodes, 0);
  return { nodes: total, parts: parts.slice(0, MOST_PARTS_NAMED), how: HOW };
}
