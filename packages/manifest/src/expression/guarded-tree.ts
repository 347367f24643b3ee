import type jsonata from 'jsonata';
import { isFunctionValue } from './function-value.ts';
import { nodesOf, type SyntaxNode } from './syntax-tree.ts';

/**
 * Closes two ways in JSONata 2.2.2 to reach into a function value, and from there the evaluator's
 * environment: `**` descends into lambdas, and a transform writes to any match of its pattern, even a
 * built-in. Both syntax nodes are rewritten to call a guard first.
 */
export function guardTree(expression: jsonata.Expression): void {
  for (const node of nodesOf(expression.ast())) {
    if (node.type === 'descendant') becomeCall(node, DESCENDANTS, [{ type: 'variable', value: '' }]);
    if (node.type === 'transform') node['pattern'] = call(DATA_ONLY, [node['pattern']]);
  }
  expression.registerFunction(DESCENDANTS, descendants);
  expression.registerFunction(DATA_ONLY, dataOnly);
}

/** Names with a space, which no expression can write. */
const DESCENDANTS = 'all descendants';
const DATA_ONLY = 'data only';

const call = (name: string, args: readonly unknown[]): SyntaxNode => ({
  type: 'function',
  value: '(',
  procedure: { type: 'variable', value: name },
  arguments: args,
});

function becomeCall(node: SyntaxNode, name: string, args: readonly unknown[]): void {
  Object.assign(node, call(name, args));
}

function descendants(input: unknown): unknown {
  if (input === undefined) return undefined;
  const found: unknown[] = [];
  collect(input, found);
  return Object.assign(found, { sequence: true });
}

function collect(value: unknown, found: unknown[]): void {
  if (!Array.isArray(value)) found.push(value);
  if (typeof value !== 'object' || value === null || isFunctionValue(value)) return;
  for (const part of Object.values(value)) collect(part, found);
}

function dataOnly(matches: unknown): unknown {
  const all: unknown[] = Array.isArray(matches) ? matches : [matches];
  if (all.some(isFunctionValue)) throw new Error('A transform changes data; its pattern gave a function');
  return matches;
}
