import jsonata from 'jsonata';
import { BANNED_FUNCTIONS } from './banned.ts';
import { linearPatternProblem } from './linear-regexp.ts';
import { isNode, nodesOf } from './syntax-tree.ts';

/** Why an expression cannot be used, before anything is evaluated. */
export interface ExpressionProblem {
  readonly code: 'invalid_expression' | 'disallowed_expression_function';
  readonly message: string;
  /** Where in the expression, counted from 0, when the parser knows. */
  readonly position?: number;
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

/** Parses only: nothing of the expression runs. */
export function compileExpression(source: string): Compilation {
  if (source.length > MAX_EXPRESSION_CHARS) {
    const limit = MAX_EXPRESSION_CHARS;
    return refuse(`The expression is ${source.length} characters long; the limit is ${limit}.`, {
      reason: 'too_long',
      limit,
    });
  }
  let expression: jsonata.Expression;
  try {
    expression = jsonata(source, { RegexEngine: undefined, sequence: undefined });
  } catch (error) {
    return refuseUnparsable(error);
  }
  const problem = findBanned(expression) ?? findUnsupportedPattern(expression);
  return problem === undefined ? { ok: true, expression } : { ok: false, problem };
}
