/** A node of JSONata's syntax tree, as far as we look at it. */
export interface SyntaxNode {
  type: string;
  value?: unknown;
  position?: number;
  [part: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Every node below and including the root. Iterative: a tree is as deep as its author nests brackets. */
export function nodesOf(root: unknown): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const seen = new Set<unknown>();
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isNode(value)) nodes.push(value);
    for (const part of Object.values(value)) waiting.push(part);
  }
  return nodes;
}
