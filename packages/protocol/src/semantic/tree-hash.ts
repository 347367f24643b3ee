import type { SemanticNode } from '../interact/semantic-tree.ts';

/** The order in which a node's fields are written wherever two nodes are compared. */
export const NODE_FIELDS = ['i', 'r', 'n', 'v', 's', 'xy', 'box', 'scr', 'occ', 'f'] as const;

export type NodeField = (typeof NODE_FIELDS)[number];

/** A node as text that is equal for equal nodes, in whatever order their fields were set. */
export function canonicalNode(node: SemanticNode): string {
  return JSON.stringify(NODE_FIELDS.map((field) => canonicalField(node, field)));
}

export function canonicalField(node: SemanticNode, field: NodeField): unknown {
  return field === 'scr' && node.scr !== undefined ? [node.scr.depth, node.scr.h] : (node[field] ?? null);
}

/**
 * The same text for the same nodes in the same order, in every run. Two djb2 sums (one adds, one
 * xors), because 32 bits alone would let two pages share a hash.
 */
export function hashTree(nodes: readonly SemanticNode[]): string {
  let sum = 5381;
  let xor = 52711;
  for (const node of nodes) {
    const text = canonicalNode(node);
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      sum = (Math.imul(sum, 33) + code) | 0;
      xor = Math.imul(xor, 33) ^ code;
    }
  }
  return hex(sum) + hex(xor);
}

function hex(number: number): string {
  return (number >>> 0).toString(16).padStart(8, '0');
}
