import jsonata from 'jsonata';
import { isBanned } from './banned.ts';
import { patternProblem } from './linear-regexp.ts';
import { nodesOf, type SyntaxNode } from './syntax-tree.ts';

/** Why an expression is refused before it is evaluated. */
export interface ExpressionProblem {
  readonly code: 'invalid_expression' | 'disallowed_expression_function';
  readonly message: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

export type Compilation =
  | { readonly ok: true; readonly expression: jsonata.Expression }
  | { readonly ok: false; readonly problem: ExpressionProblem };

export const MAX_EXPRESSION_CHARS = 16_000;

export function checkExpression(source: string): ExpressionProblem | undefined {
  const compilation = compileExpression(source);
  return compilation.ok ? undefined : compilation.problem;
}

/** Parses the expression without running it. */
export function compileExpression(source: string, options: jsonata.JsonataOptions = {}): Compilation {
  if (source.length > MAX_EXPRESSION_CHARS) return refuse(tooLong(source.length));
  let expression: jsonata.Expression;
  try {
    expression = jsonata(source, options);
  } catch (error) {
    return refuse(unparsable(error));
  }
  for (const node of nodesOf(expression.ast())) {
    const problem = problemOf(node);
    if (problem !== undefined) return refuse(problem);
  }
  return { ok: true, expression };
}

const refuse = (problem: ExpressionProblem): Compilation => ({ ok: false, problem });

function problemOf(node: SyntaxNode): ExpressionProblem | undefined {
  // The name alone is refused: `$f := $eval` and `$map(x, $eval)` call the function without its name.
  if (node.type === 'variable' && isBanned(node.value)) return banned(String(node.value));
  if (node.type === 'regex' && node.value instanceof RegExp) return unsupported(node.value);
  return undefined;
}

function banned(name: string): ExpressionProblem {
  return {
    code: 'disallowed_expression_function',
    message: `The expression uses $${name}, which is not allowed: its result would not depend on the input alone.`,
    evidence: { function: `$${name}` },
  };
}

function unsupported(pattern: RegExp): ExpressionProblem | undefined {
  const problem = patternProblem(pattern);
  if (problem === undefined) return undefined;
  return {
    code: 'invalid_expression',
    message: `The regular expression ${pattern} cannot run in linear time: ${problem}. Write it without look-around and back-references.`,
    evidence: { reason: 'unsupported_regex', pattern: pattern.source },
  };
}

function tooLong(chars: number): ExpressionProblem {
  return {
    code: 'invalid_expression',
    message: `The expression is ${chars} characters long; the limit is ${MAX_EXPRESSION_CHARS}.`,
    evidence: { reason: 'too_long', limit: MAX_EXPRESSION_CHARS },
  };
}

/** JSONata throws plain objects with a code; deeply nested brackets overflow its parser's stack. */
function unparsable(error: unknown): ExpressionProblem {
  const known = typeof error === 'object' && error !== null ? error : {};
  const message =
    'message' in known && typeof known.message === 'string' ? known.message : 'it is no JSONata';
  const evidence = {
    ...('code' in known && typeof known.code === 'string' && { jsonata_code: known.code }),
    ...('position' in known && typeof known.position === 'number' && { position: known.position }),
  };
  return {
    code: 'invalid_expression',
    message: `The expression does not parse: ${message}`,
    evidence: { reason: error instanceof RangeError ? 'nested_too_deep' : 'syntax', ...evidence },
  };
}
