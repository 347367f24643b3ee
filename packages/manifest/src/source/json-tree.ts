import { findNodeAtLocation, type Node, parseTree, printParseErrorCode } from 'jsonc-parser';
import { indexLines } from './line-index.ts';
import type { Path } from './path.ts';

/** JSON text with the position of every part. Built only when an error needs a position. */
export interface JsonTree {
  readonly root: Node | undefined;
  readonly faults: readonly JsonProblem[];
}

interface JsonProblem {
  readonly offset: number;
  /** A sentence without its full stop. */
  readonly message: string;
}

export function readTree(text: string): JsonTree {
  const errors: { error: number; offset: number; length: number }[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const lineOf = indexLines(text);
  const seen = new Set<number>();
  // One mistake gives several parser errors; the first on a line is the relevant one.
  const first = errors.filter(({ offset }) => {
    const { line } = lineOf(offset);
    return !seen.has(line) && seen.add(line);
  });
  return {
    root,
    faults: first.map(({ error, offset }) => ({ offset, message: problemAt(text, offset, error) })),
  };
}

function problemAt(text: string, offset: number, error: number): string {
  if (text.trim() === '') return 'The file is empty: a map is one JSON object';
  if (text.startsWith('\uFEFF') && offset === 0)
    return 'The file begins with a byte order mark: save it as UTF-8 without one';
  return FAULTS.get(printParseErrorCode(error)) ?? 'This is not JSON';
}

const FAULTS = new Map([
  ['InvalidSymbol', 'This is no JSON: keys and texts stand in double quotes'],
  ['InvalidNumberFormat', 'This is not a number as JSON writes it'],
  ['PropertyNameExpected', 'A key in double quotes is missing here, or the comma before it is one too many'],
  ['ValueExpected', 'A value is missing here, or the comma before it is one too many'],
  ['ColonExpected', 'A colon is missing between key and value'],
  ['CommaExpected', 'A comma is missing before this'],
  ['CloseBraceExpected', 'A closing } is missing'],
  ['CloseBracketExpected', 'A closing ] is missing'],
  ['EndOfFileExpected', 'The map has ended before this: one map is one JSON object'],
  ['InvalidCommentToken', 'JSON has no comments'],
  ['UnexpectedEndOfComment', 'JSON has no comments'],
  ['UnexpectedEndOfString', 'The closing quote of this text is missing'],
  ['UnexpectedEndOfNumber', 'This number ends too early'],
  ['InvalidUnicode', 'An escape with \\u needs four hexadecimal digits'],
  ['InvalidEscapeCharacter', 'This backslash stands before a character that needs none'],
  ['InvalidCharacter', 'A control character in a text must be written as an escape such as \\n'],
]);

export interface KeyProblem {
  readonly path: Path;
  readonly offset: number;
  readonly kind: 'duplicate' | 'prototype';
}

/** Duplicate keys, and keys that reach an object's prototype. */
export function* keyFaults(node: Node | undefined, path: Path = []): Generator<KeyProblem> {
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

/** The offset of a value or its key. A missing part has the offset of its container. */
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
