import {
  type ContextLine,
  estimateTokens,
  formatView,
  type ViewNode,
  viewNode,
} from '@drawbridge/protocol/semantic';
import type { BudgetOptions, LeftOut } from './budget.ts';
import { byteLength } from './byte-length.ts';
import { chunkNodes, RAG, rankChunks } from './dom-rag.ts';
import { searchTexts } from './text-index.ts';

/** Nodes and texts of a view that fit its budget. */
export interface FittedView {
  readonly indexes: readonly number[];
  readonly context: readonly ContextLine[];
  readonly left_out?: LeftOut;
}

/** One line in page order: a node or a text. */
interface Item {
  readonly order: number;
  readonly node?: number;
  readonly line?: number;
  readonly isMain: boolean;
  readonly text: string;
  readonly tokens: number;
  readonly bytes: number;
}

/** Share of a budget for nodes and headings before texts get their turn. */
const MAIN_SHARE = 0.7;
/** A text is cut only if this much of it can be shown. */
const LEAST_TOKENS = 12;
const MOST_PARTS_NAMED = 8;
const HOW = 'Ask with a query, a region or a larger max_tokens.';

/**
 * Fits a view into its budget. Nodes and headings come first, then texts, both in page order, until the budget
 * is used up; one text may be cut at a sentence. With a query, only lines about it.
 */
export function fitView(
  nodes: readonly ViewNode[],
  context: readonly ContextLine[],
  { query, max_tokens = Infinity, max_bytes = Infinity, max_nodes = Infinity }: BudgetOptions,
): FittedView {
  const whole = formatView(nodes, context);
  const isSmall =
    nodes.length <= max_nodes && estimateTokens(whole) <= max_tokens && byteLength(whole) <= max_bytes;
  const wanted = query === undefined ? undefined : linesAbout(query, nodes, context);
  if (isSmall && wanted === undefined) return { indexes: nodes.map((_, index) => index), context };
  const items = itemsOf(nodes, context).filter((item) => wanted === undefined || wanted(item));
  const taken = new Set<Item>();
  const cut = new Map<Item, string>();
  let left = { tokens: max_tokens, bytes: max_bytes, nodes: max_nodes };

  const take = (item: Item): boolean => {
    const after = {
      tokens: left.tokens - item.tokens,
      bytes: left.bytes - item.bytes,
      nodes: left.nodes - (item.node === undefined ? 0 : 1),
    };
    if (after.tokens < 0 || after.bytes < 0 || after.nodes < 0) return false;
    left = after;
    taken.add(item);
    return true;
  };
  const main = items.filter(({ isMain }) => isMain);
  const reserve = max_tokens === Infinity ? 0 : max_tokens * (1 - MAIN_SHARE);
  let next = 0;
  for (; next < main.length; next++) {
    const item = main[next];
    if (item === undefined || left.tokens - item.tokens < reserve || !take(item)) break;
  }
  const end = main[next]?.order ?? Infinity;
  for (const item of items) {
    if (item.isMain || item.order > end || take(item)) continue;
    const short = cutAtSentence(item.text, Math.min(left.tokens, left.bytes / 4));
    if (short === undefined) continue;
    cut.set(item, short);
    take({ ...item, tokens: lineTokens(short) + 1, bytes: byteLength(short) + 3 });
    taken.add(item);
    break;
  }
  for (const item of items) if (item.order >= end && !taken.has(item) && !take(item)) break;
  return fitted(nodes, context, items, taken, cut);
}

const lineTokens = (line: string): number => estimateTokens(`${line}\n`);

function fitted(
  nodes: readonly ViewNode[],
  context: readonly ContextLine[],
  items: readonly Item[],
  taken: ReadonlySet<Item>,
  cut: ReadonlyMap<Item, string>,
): FittedView {
  const indexes = items.flatMap((item) => (taken.has(item) ? (item.node ?? []) : []));
  const lines = items.flatMap((item) => {
    const line = item.line === undefined ? undefined : context[item.line];
    if (line === undefined || !taken.has(item)) return [];
    const at = countBelow(indexes, line.at);
    return { ...line, at, text: cut.get(item) ?? line.text };
  });
  const missing = nodes.length - indexes.length;
  const texts = context.length - lines.length + cut.size;
  if (missing + texts === 0) return { indexes, context: lines };
  const parts = partsOf(nodes, context, new Set(indexes));
  return { indexes, context: lines, left_out: { nodes: missing, texts, parts, how: HOW } };
}

function countBelow(indexes: readonly number[], limit: number): number {
  let count = 0;
  while ((indexes[count] ?? Infinity) < limit) count++;
  return count;
}

function itemsOf(nodes: readonly ViewNode[], context: readonly ContextLine[]): Item[] {
  const items: Item[] = [];
  let next = 0;
  const add = (item: Pick<Item, 'node' | 'line' | 'isMain' | 'text'>) =>
    items.push({
      ...item,
      order: items.length,
      tokens: lineTokens(item.text) + (item.line === undefined ? 0 : 1),
      bytes: byteLength(item.text) + 3,
    });
  const addTexts = (limit: number) => {
    for (let line = context[next]; line !== undefined && line.at <= limit; line = context[next]) {
      add({ line: next, isMain: line.kind !== 'text', text: line.text });
      next++;
    }
  };
  nodes.forEach((node, index) => {
    addTexts(index);
    add({ node: index, isMain: true, text: viewNode(node) });
  });
  addTexts(Infinity);
  return items;
}

/** The beginning of a text up to a sentence end that fits, else up to a word. */
function cutAtSentence(text: string, tokens: number): string | undefined {
  if (tokens < LEAST_TOKENS) return undefined;
  let short = text;
  while (short !== '' && lineTokens(short) + 2 > tokens) {
    const shorter = short.slice(0, Math.max(0, Math.floor(short.length * 0.9) - 1));
    short = shorter.replace(/\s\S*$/, '');
    if (short === shorter) break;
  }
  const sentence = /^[\s\S]*[.!?…](?=\s)/.exec(short)?.[0];
  const kept = sentence !== undefined && sentence.length > short.length / 2 ? sentence : short;
  return kept === '' ? undefined : `${kept} …`;
}

/** Selects lines about a query: chunks of nodes under one heading, texts by their own words. */
function linesAbout(
  query: string,
  nodes: readonly ViewNode[],
  context: readonly ContextLine[],
): (item: Item) => boolean {
  const chunks = chunkNodes(nodes, aboutIn(context));
  const names = nodes.map(({ n, v = '' }) => `${n} ${v}`);
  const texts = context.map(({ text }) => text);
  const about = (of: readonly string[]) => {
    const found = searchTexts([{ texts: of, boost: 1 }], query);
    const best = found[0]?.score ?? 0;
    return new Set(found.flatMap(({ index, score }) => (score >= best * RAG.minRelevance ? index : [])));
  };
  const nodesAbout = about(names);
  const linesFound = about(texts);
  const headed = new Set<number>();
  for (const chunk of rankChunks(chunks, [], undefined)) {
    const heading = context.findIndex(({ kind, text }) => kind === 'heading' && text === chunk.about);
    if (linesFound.has(heading)) for (const index of chunk.indexes) headed.add(index);
    // The heading above a match shows where it is.
    if (chunk.indexes.some((index) => nodesAbout.has(index)) && heading >= 0) linesFound.add(heading);
  }
  // Nodes right after a matching text belong to it: the buttons of a row.
  context.forEach((line, index) => {
    if (!linesFound.has(index) || line.kind !== 'text') return;
    const end = context[index + 1]?.at ?? nodes.length;
    for (let node = line.at; node < Math.min(end, line.at + MOST_BESIDE); node++) headed.add(node);
  });
  return ({ node, line }) =>
    node === undefined ? linesFound.has(line ?? -1) : nodesAbout.has(node) || headed.has(node);
}

const MOST_BESIDE = 6;

/** The heading above a node, else the last text before it. */
export function aboutIn(context: readonly ContextLine[]): (index: number) => string {
  const headings = context.filter(({ kind }) => kind === 'heading');
  const lines = headings.length > 0 ? headings : context;
  return (index) => lines.findLast(({ at }) => at <= index)?.text ?? '';
}

function partsOf(
  nodes: readonly ViewNode[],
  context: readonly ContextLine[],
  chosen: ReadonlySet<number>,
): LeftOut['parts'] {
  return chunkNodes(nodes, aboutIn(context))
    .map(({ indexes, about, top, bottom }) => ({
      about,
      nodes: indexes.filter((index) => !chosen.has(index)).length,
      y: [top, bottom] as const,
    }))
    .filter((part) => part.nodes > 0)
    .slice(0, MOST_PARTS_NAMED);
}
