import type { Path } from '../source/path.ts';
import { type ExpressionFault, expressionChecker, MAX_EXPRESSION_CHARS } from './expression.ts';
import type { Findings } from './finding.ts';
import { type NameTable, nameTable } from './name-table.ts';
import type { Part } from './part.ts';
import { readSlot } from './slot.ts';

/** The dictionary of a runtime, or as much of it as a validator needs. */
export interface KnownPrimitives {
  readonly primitives: readonly { readonly name: string; readonly capability_class?: string }[];
}

export interface MapLimits {
  readonly maxChars: number;
  readonly maxSteps: number;
  /** Also caps `max_items` and `max_attempts`. */
  readonly maxLoopItems: number;
  readonly maxExpressionChars: number;
}

export const MAP_LIMITS = {
  maxSteps: 25,
  maxLoopItems: 50,
  maxExpressionChars: MAX_EXPRESSION_CHARS,
} as const;

/** What every check across parts gets. */
export interface CheckContext {
  readonly map: Part;
  readonly names: NameTable;
  readonly limits: MapLimits;
  /** By name. Absent when no dictionary is at hand. */
  readonly primitives: ReadonlyMap<string, string | undefined> | undefined;
  readonly expressionFault: (source: string) => ExpressionFault | undefined;
}

export function checkContext(map: Part, limits: MapLimits, dictionary: KnownPrimitives | undefined): CheckContext {
  return {
    map,
    names: nameTable(map),
    limits,
    primitives: dictionary && new Map(dictionary.primitives.map((known) => [known.name, known.capability_class])),
    expressionFault: expressionChecker(limits.maxExpressionChars),
  };
}

const WHOLE_SLOT = 'one whole {% … %}, with nothing around it';

/** A text that may be an expression. */
export function* checkSlot(text: string, path: Path, { expressionFault }: CheckContext): Findings {
  const slot = readSlot(text);
  if (slot.kind === 'partial') {
    const message = `mixes an expression with other text; build the whole text inside it, as {% 'Hello ' & input.name %}`;
    yield { code: 'partial_expression', path, message, expected: WHOLE_SLOT };
  }
  const fault = slot.kind === 'expression' ? expressionFault(slot.source) : undefined;
  if (fault !== undefined) yield { ...fault, path };
}

/** A text that must be an expression: a plain one would count as a condition that always holds. */
export function* checkExpressionSlot(value: unknown, path: Path, context: CheckContext): Findings {
  if (typeof value !== 'string') return;
  if (readSlot(value).kind === 'text')
    yield { code: 'expression_expected', path, message: `must be ${WHOLE_SLOT}`, expected: WHOLE_SLOT };
  else yield* checkSlot(value, path, context);
}
