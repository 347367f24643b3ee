import { findNodeAtLocation, type Node, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Path } from './path.ts';

/** JSON text with the place of every part in it. Built only when there is something to point at. */
export interface JsonTree {
  readonly root: Node | undefined;
  readonly faults: readonly JsonFault[];
}

export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

export function readTree(text: string): JsonTree {
  const errors: { error: number; offset: number; length: number }[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const faults = errors.map(({ error, offset }) => ({
    offset,
    message: FAULTS.get(printParseErrorCode(error)) ?? 'is not JSON from here on',
  }));
  return { root, faults: faults.filter(isFirstOfItsPlace) };
}

/** One slip makes the parser complain several times at the same place. */
const isFirstOfItsPlace = ({ offset }: JsonFault, index: number, all: readonly JsonFault[]): boolean =>
  all.findIndex((other) => Math.abs(other.offset - offset) < 2) === index;

const FAULTS = new Map([
  [
    'InvalidSymbol',
    'is no JSON value: a text stands in double quotes, other values are true, false, null or a number',
  ],
  ['InvalidNumberFormat', 'is not a number as JSON writes it'],
  ['PropertyNameExpected', 'needs a key in double quotes here: a comma before } is one too many'],
  ['ValueExpected', 'needs a value here: a comma before ] or } is one too many'],
  ['ColonExpected', 'needs a colon between key and value'],
  ['CommaExpected', 'needs a comma before this'],
  ['CloseBraceExpected', 'needs a closing }'],
  ['CloseBracketExpected', 'needs a closing ]'],
  ['EndOfFileExpected', 'goes on after its end: one map is one JSON object'],
  ['InvalidCommentToken', 'has a comment: JSON has none'],
  ['UnexpectedEndOfComment', 'has a comment: JSON has none'],
  ['UnexpectedEndOfString', 'has a text without its closing quote'],
  ['UnexpectedEndOfNumber', 'has a number that ends too early'],
  ['InvalidUnicode', 'has a \\u escape that is not four hexadecimal digits'],
  ['InvalidEscapeCharacter', 'has a backslash before a character that needs none'],
  ['InvalidCharacter', 'has a control character in a text: write it as an escape such as \\n'],
]);

export interface KeyFault {
  readonly path: Path;
  readonly offset: number;
  readonly kind: 'duplicate' | 'prototype';
}

/** Keys that stand twice in an object, and keys that reach an object's prototype. */
export function* keyFaults(node: Node | undefined, path: Path = []): Generator<KeyFault> {
  if (node?.type === 'array') {
    for (const [index, item] of (node.children ?? []).entries()) yield* keyFaults(item, [...path, index]);
  }
  if (node?.type !== 'object') return;
  const seen = new Set<string>();
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined) continue;
    const name = String(key.value);
    const here = { path: [...path, name], offset: key.offset };
    if (seen.has(name)) yield { ...here, kind: 'duplicate' };
    if (name === '__proto__' || (name === 'constructor' && hasKey(value, 'prototype')))
      yield { ...here, kind: 'prototype' };
    seen.add(name);
    yield* keyFaults(value, here.path);
  }
}

const hasKey = (node: Node | undefined, name: string): boolean =>
  node?.type === 'object' && (node.children ?? []).some(({ children: [key] = [] }) => key?.value === name);

/** Where a part begins: its value, or its key. What is missing is shown at what should hold it. */
export function offsetOf(root: Node | undefined, path: Path, part: 'key' | 'value'): number {
  if (root === undefined) return 0;
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, [...path.slice(0, length)]);
    if (node === undefined) continue;
    const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
    return part === 'key' && length === path.length ? (key ?? node).offset : node.offset;
  }
  return root.offset;
}
