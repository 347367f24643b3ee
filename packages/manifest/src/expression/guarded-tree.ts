import type jsonata from 'jsonata';
import { isFunctionValue } from './function-value.ts';
import { nodesOf, type SyntaxNode } from './syntax-tree.ts';

/**
 * Closes the two ways by which JSONata 2.2.2 itself lets an expression inside a function value, where the
 * evaluator's own environment lies: `**` walks into lambdas, and a transform writes to what its pattern
 * gives, a built-in included. Both nodes of the syntax tree are rewritten to ask a guard first.
 */
export function guardTree(expression: jsonata.Expression): void {
  for (const node of nodesOf(expression.ast())) {
    if (node.type === 'descendant') becomeCall(node, DESCENDANTS, [{ type: 'variable', value: '' }]);
    if (node.type === 'transform') node['pattern'] = call(DATA_ONLY, [node['pattern']]);
  }
  expression.registerFunction(DESCENDANTS, descendants);
  expression.registerFunction(DATA_ONLY, dataOnly);
}

/** With a space inside, so that no expression can name them. */
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
