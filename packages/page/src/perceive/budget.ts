import { type ContextLine, formatLines, type SemanticNode } from '@drawbridge/protocol/semantic';
import { chunkNodes, RAG, type RankedChunk, rankChunks, rankNodes } from './dom-rag.ts';
import { byteLength, estimateTokens } from './token-estimate.ts';

export interface BudgetOptions {
  readonly query?: string;
  readonly max_tokens?: number;
  readonly max_bytes?: number;
  readonly max_nodes?: number;
}

/** What was left out, and how to get it. */
export interface LeftOut {
  readonly nodes: number;
  readonly parts: readonly {
    readonly about: string;
    readonly nodes: number;
    readonly y: readonly [number, number];
  }[];
  readonly how: string;
}

export interface Filtered {
  /** The places in the tree that stay, in the order of the page. */
  readonly places: readonly number[];
  readonly dom_filtered?: true;
  readonly filter_reason?: string;
  readonly original_node_count?: number;
  readonly token_reduction?: number;
  readonly left_out?: LeftOut;
}

interface Limits {
  readonly tokens: number;
  readonly bytes: number;
  readonly nodes: number;
}

const MOST_PARTS_NAMED = 8;
const HOW = 'Ask again with another query, with scope "page" and a region, or with a larger max_tokens.';

/** Cuts a tree to its budget before it leaves the page, by relevance to the query. */
export function fitBudget(
  nodes: readonly SemanticNode[],
  options: BudgetOptions,
  render: (nodes: readonly SemanticNode[]) => string,
  aboutOf: (place: number) => string,
): Filtered {
  const limits = limitsOf(nodes, options);
  const all = nodes.map((_, place) => place);
  if (limits === undefined) return { places: all };
  const whole = render(nodes);
  if (fits(whole, nodes.length, limits)) return { places: all };
  const ranked = rankChunks(chunkNodes(nodes, aboutOf), nodes, options.query);
  const chosen = choose(ranked, nodes, options.query, limits, render);
  const places = [...chosen].sort((one, other) => one - other);
  const kept = render(places.flatMap((place) => nodes[place] ?? []));
  return {
    places,
    dom_filtered: true,
    filter_reason: reasonFor(nodes.length, limits, options),
    original_node_count: nodes.length,
    token_reduction: reduction(estimateTokens(kept), estimateTokens(whole)),
    left_out: leftOut(ranked, chosen),
  };
}

/** What headings and texts may take of a budget, when they are asked for. */
const CONTEXT_SHARE = 0.3;

/** The nodes' part of the budget. */
export function nodeBudget(options: BudgetOptions & { readonly context?: boolean }): BudgetOptions {
  if (options.context !== true) return options;
  const share = (limit: number | undefined) => limit !== undefined && Math.floor(limit * (1 - CONTEXT_SHARE));
  const tokens = share(options.max_tokens);
  const bytes = share(options.max_bytes);
  return {
    ...options,
    ...(tokens !== false && { max_tokens: tokens }),
    ...(bytes !== false && { max_bytes: bytes }),
  };
}

/** As many of the headings and texts as the nodes leave room for. */
export function fitContext(
  context: readonly ContextLine[],
  nodes: readonly SemanticNode[],
  { max_tokens = Infinity, max_bytes = Infinity }: BudgetOptions,
): readonly ContextLine[] {
  for (let count = context.length; count > 0; count--) {
    const lines = context.slice(0, count);
    const text = formatLines(nodes, lines);
    if (estimateTokens(text) <= max_tokens && byteLength(text) <= max_bytes) return lines;
  }
  return [];
}

/** A budget applies when somebody set one, or when a query says what matters and the tree is large. */
function limitsOf(nodes: readonly SemanticNode[], options: BudgetOptions): Limits | undefined {
  const { query, max_tokens, max_bytes, max_nodes } = options;
  const isSet = max_tokens !== undefined || max_bytes !== undefined || max_nodes !== undefined;
  if (isSet)
    return { tokens: max_tokens ?? Infinity, bytes: max_bytes ?? Infinity, nodes: max_nodes ?? Infinity };
  if (query === undefined || nodes.length <= RAG.filterAbove) return undefined;
  return { tokens: RAG.maxTokens, bytes: Infinity, nodes: RAG.maxNodes };
}

function fits(text: string, nodes: number, limits: Limits): boolean {
  return nodes <= limits.nodes && estimateTokens(text) <= limits.tokens && byteLength(text) <= limits.bytes;
}

/** Whole chunks while they fit, then the best nodes of the first that does not. */
function choose(
  ranked: readonly RankedChunk[],
  nodes: readonly SemanticNode[],
  query: string | undefined,
  limits: Limits,
  render: (nodes: readonly SemanticNode[]) => string,
): Set<number> {
  const empty = render([]);
  const left = {
    tokens: limits.tokens - estimateTokens(empty),
    bytes: limits.bytes - byteLength(empty),
    nodes: limits.nodes,
  };
  const chosen = new Set<number>();
  const take = (place: number): boolean => {
    const node = nodes[place];
    if (node === undefined) return true;
    const text = `${render([node])}\n`;
    const cost = { tokens: estimateTokens(text) + 1, bytes: byteLength(text) };
    if (left.nodes < 1 || left.tokens < cost.tokens || left.bytes < cost.bytes) return false;
    left.nodes -= 1;
    left.tokens -= cost.tokens;
    left.bytes -= cost.bytes;
    chosen.add(place);
    return true;
  };
  for (const chunk of ranked) {
    if (chunk.relevance < RAG.minRelevance) continue;
    for (const place of rankNodes(chunk.places, nodes, query)) if (!take(place)) return chosen;
  }
  return chosen;
}

function reasonFor(count: number, limits: Limits, { query }: BudgetOptions): string {
  const { tokens, bytes, nodes } = limits;
  const limit = [
    Number.isFinite(nodes) && `${nodes} nodes`,
    Number.isFinite(tokens) && `${tokens} tokens`,
    Number.isFinite(bytes) && `${bytes} bytes`,
  ].filter(Boolean);
  const kept = query === undefined ? 'the first of the page kept' : 'the parts nearest to the query kept';
  return `${count} nodes are more than the budget of ${limit.join(' and ')}: ${kept}.`;
}

function reduction(kept: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1 - kept / whole) * 100);
}

function leftOut(ranked: readonly RankedChunk[], chosen: ReadonlySet<number>): LeftOut {
  const parts = ranked
    .map(({ places, about, top, bottom }) => ({
      about,
      nodes: places.filter((place) => !chosen.has(place)).length,
      y: [top, bottom] as const,
    }))
    .filter((part) => part.nodes > 0);
  const total = parts.reduce((sum, part) => sum + part.nodes, 0);
  return { nodes: total, parts: parts.slice(0, MOST_PARTS_NAMED), how: HOW };
}
