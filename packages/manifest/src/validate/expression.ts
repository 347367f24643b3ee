import jsonata from 'jsonata';
import type { ErrorCode } from './codes.ts';
import { compilePattern } from './linear-pattern.ts';

/** What keeps an expression from ever running. Expressions are only parsed here, which runs nothing. */
export interface ExpressionFault {
  readonly code: ErrorCode;
  readonly message: string;
}

/** They would make a workflow do something else each time, or something its author never wrote. */
const BANNED = new Set<unknown>(['eval', 'random', 'now', 'millis']);

export const MAX_EXPRESSION_CHARS = 16_000;

/** Gives a check that remembers: maps repeat their expressions. */
export function expressionChecker(maxChars: number): (source: string) => ExpressionFault | undefined {
  const known = new Map<string, ExpressionFault | undefined>();
  return (source) => {
    if (!known.has(source)) known.set(source, checkExpression(source, maxChars));
    return known.get(source);
  };
}

function checkExpression(source: string, maxChars: number): ExpressionFault | undefined {
  if (source.length > maxChars)
    return { code: 'expression_too_long', message: `is longer than ${maxChars} characters` };
  let ast: unknown;
  try {
    ast = jsonata(source).ast();
  } catch (error) {
    return { code: 'invalid_expression', message: `is not an expression: ${reasonOf(error)}` };
  }
  return faultIn(ast, new Set());
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it nests too deep';
  if (typeof error !== 'object' || error === null) return 'it does not parse';
  const message: unknown = Reflect.get(error, 'message');
  const position: unknown = Reflect.get(error, 'position');
  const place = typeof position === 'number' ? ` (character ${position})` : '';
  return `${typeof message === 'string' ? message : 'it does not parse'}${place}`;
}

/** The parser shares and links its nodes, so each is visited once. */
function faultIn(node: unknown, seen: Set<object>): ExpressionFault | undefined {
  if (typeof node !== 'object' || node === null || seen.has(node)) return undefined;
  seen.add(node);
  const { type, value } = { type: undefined, value: undefined, ...node };
  if (type === 'variable' && BANNED.has(value))
    return { code: 'banned_function', message: `uses $${value}, which is not allowed in maps` };
  if (type === 'regex' && value instanceof RegExp) {
    const result = compilePattern(value.source);
    if (!result.ok) return { code: 'unsafe_pattern', message: `has a pattern that ${result.message}` };
  }
  for (const inner of Object.values(node)) {
    const fault = faultIn(inner, seen);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
