/** The fields of JSONata's syntax nodes that are used here. */
export interface SyntaxNode {
  type: string;
  value?: unknown;
  position?: number;
  [part: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** All nodes, the root included. Iterative, because authors nest brackets as deep as they like. */
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
