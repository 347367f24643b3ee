import type { ContextLine, SemanticNode, SemanticNodeV2 } from '@drawbridge/protocol/semantic';
import { isSecretField, rawValueOf, secretsMet } from './secret-field.ts';

export const MASK = '•••';

/** A shorter value turns up by chance: scrubbing "12" would take the prices off a page. */
const SHORTEST_SCRUBBED = 4;

/** Takes the values of secret fields out of whatever is about to leave the page. */
export interface Scrubber {
  readonly text: (text: string) => string;
  readonly node: (node: SemanticNode) => SemanticNode;
  readonly fullKeyNode: (node: SemanticNodeV2) => SemanticNodeV2;
  readonly line: (line: ContextLine) => ContextLine;
}

/**
 * A page may repeat what was typed into a secret field: in a preview, a label, a message, an address.
 * Reads the fields once; make a new one for each answer.
 */
export function createScrubber(documents: Iterable<Document>): Scrubber {
  const values = secretValuesIn(documents);
  const text = (dirty: string) =>
    values.reduce((clean, value) => (clean.includes(value) ? clean.replaceAll(value, MASK) : clean), dirty);
  if (values.length === 0)
    return { text, node: (node) => node, fullKeyNode: (node) => node, line: (line) => line };
  return {
    text,
    node: (node) => ({ ...node, n: text(node.n), ...(node.v !== undefined && { v: text(node.v) }) }),
    fullKeyNode: (node) => ({
      ...node,
      name: text(node.name),
      ...(node.value !== undefined && { value: text(node.value) }),
      ...(node.placeholder !== undefined && { placeholder: text(node.placeholder) }),
      ...(node.href !== undefined && { href: text(node.href) }),
    }),
    line: (line) => ({ ...line, text: text(line.text) }),
  };
}

/** Longest first, so that a value inside another does not spoil it. */
function secretValuesIn(documents: Iterable<Document>): string[] {
  const values = new Set<string>();
  const add = (field: Element) => {
    const value = (rawValueOf(field) ?? '').trim();
    if (value.length >= SHORTEST_SCRUBBED && isSecretField(field)) values.add(value);
  };
  for (const document of documents) writableIn(document).forEach(add);
  // In shadow roots, which a selector does not reach.
  for (const field of secretsMet()) if (field.localName !== 'select') add(field);
  return [...values].sort((one, other) => other.length - one.length);
}

/** One by one: a list of selectors is tried on every element of the page, which takes three times as long. */
function writableIn(document: Document): Element[] {
  return [
    ...document.getElementsByTagName('input'),
    ...document.getElementsByTagName('textarea'),
    ...document.querySelectorAll('[contenteditable]'),
  ];
}
