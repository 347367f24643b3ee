import type { SemanticNode } from '@drawbridge/protocol/semantic';
import { searchTexts } from './text-index.ts';

/** Contract 4's limits for a tree cut by relevance (see docs/spec/interact.md, INT-250). */
export const RAG = {
  filterAbove: 100,
  maxNodes: 50,
  maxTokens: 2000,
  minRelevance: 0.1,
  chunkHeightPx: 200,
} as const;

export interface Chunk {
  readonly top: number;
  readonly bottom: number;
  /** Indexes in the tree. */
  readonly indexes: readonly number[];
  /** The heading or text above the chunk. */
  readonly about: string;
}

export interface RankedChunk extends Chunk {
  readonly relevance: number;
}

/** Groups nodes within 200 px under one heading, in page order. */
export function chunkNodes(nodes: readonly SemanticNode[], aboutOf: (index: number) => string): Chunk[] {
  const chunks: { top: number; bottom: number; indexes: number[]; about: string }[] = [];
  nodes.forEach((node, index) => {
    const y = node.xy?.[1] ?? 0;
    const about = aboutOf(index);
    const last = chunks.at(-1);
    const near = last !== undefined && Math.abs(y - last.top) <= RAG.chunkHeightPx && last.about === about;
    if (near) {
      last.indexes.push(index);
      last.bottom = Math.max(last.bottom, y);
      last.top = Math.min(last.top, y);
    } else chunks.push({ top: y, bottom: y, indexes: [index], about });
  });
  return chunks;
}

/** The best chunks first; in page order without a query or a match. */
export function rankChunks(
  chunks: readonly Chunk[],
  nodes: readonly SemanticNode[],
  query: string | undefined,
): RankedChunk[] {
  const found = query === undefined ? [] : search(chunks, nodes, query);
  const best = found[0]?.score ?? 0;
  if (best === 0) return chunks.map((chunk) => ({ ...chunk, relevance: 1 }));
  const scores = new Map(found.map(({ index, score }) => [index, score / best]));
  return chunks
    .map((chunk, id) => ({ ...chunk, relevance: scores.get(id) ?? 0 }))
    .sort((one, other) => other.relevance - one.relevance || one.top - other.top);
}

function search(chunks: readonly Chunk[], nodes: readonly SemanticNode[], query: string) {
  const names = chunks.map(({ indexes }) =>
    indexes.map((index) => `${nodes[index]?.n} ${nodes[index]?.v ?? ''}`).join(' '),
  );
  const fields = [
    { texts: names, boost: 2 },
    { texts: chunks.map(({ about }) => about), boost: 1 },
  ];
  return searchTexts(fields, query);
}

/** Nodes of one oversized chunk, the best matches first. */
export function rankNodes(
  indexes: readonly number[],
  nodes: readonly SemanticNode[],
  query: string | undefined,
): number[] {
  if (query === undefined) return [...indexes];
  const names = indexes.map((index) => nodes[index]?.n ?? '');
  const found = searchTexts([{ texts: names, boost: 1 }], query).flatMap(({ index }) => indexes[index] ?? []);
  const others = indexes.filter((index) => !found.includes(index));
  return [...found, ...others];
}
