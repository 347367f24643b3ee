import type { SemanticNode } from '../interact/semantic-tree.ts';

/** The field order for comparing nodes. */
export const NODE_FIELDS = ['i', 'r', 'n', 'v', 's', 'xy', 'box', 'scr', 'occ', 'f'] as const;

export type NodeField = (typeof NODE_FIELDS)[number];

/** Canonical text of a node, regardless of field order. */
export function canonicalNode(node: SemanticNode): string {
  return JSON.stringify(NODE_FIELDS.map((field) => canonicalField(node, field)));
}

export function canonicalField(node: SemanticNode, field: NodeField): unknown {
  return field === 'scr' && node.scr !== undefined ? [node.scr.depth, node.scr.h] : (node[field] ?? null);
}

/**
 * A deterministic hash of the nodes in order. Two djb2 sums (one adds, one xors), because 32 bits alone would
 * let two pages collide.
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
