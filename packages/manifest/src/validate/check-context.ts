import { LIMITS } from '@drawbridge/protocol/manifest';
import { readSlot } from '../expression/slot.ts';
import { checkExpression, type ExpressionProblem } from '../expression/source.ts';
import type { Path } from '../source/path.ts';
import type { Findings } from './finding.ts';
import { type NameTable, nameTable } from './name-table.ts';
import type { Part } from './part.ts';

/** The primitives of a runtime, with the fields that validation needs. */
export interface KnownPrimitives {
  readonly primitives: readonly KnownPrimitive[];
}

interface KnownPrimitive {
  readonly name: string;
  readonly capability_class?: string;
  readonly capabilities?: readonly string[];
}

/** The arguments of a primitive, as far as validation needs them. */
export interface ArgumentNames {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

export interface MapLimits {
  readonly maxChars: number;
  readonly maxSteps: number;
  /** Also the limit of `max_items` and `max_attempts`. */
  readonly maxLoopItems: number;
}

export const MAP_LIMITS: MapLimits = {
  maxChars: LIMITS.manifest.value,
  maxSteps: 25,
  maxLoopItems: 50,
};

/** Input of every check across parts. */
export interface CheckContext {
  readonly map: Part;
  readonly names: NameTable;
  readonly limits: MapLimits;
  /** By name. Absent without a dictionary. */
  readonly primitives: ReadonlyMap<string, KnownPrimitive> | undefined;
  readonly argumentsOf: (primitive: string) => ArgumentNames | undefined;
}

export function checkContext(
  map: Part,
  limits: MapLimits,
  dictionary: KnownPrimitives | undefined,
  argumentsOf: CheckContext['argumentsOf'] = () => undefined,
): CheckContext {
  return {
    map,
    names: nameTable(map),
    limits,
    argumentsOf,
    primitives: dictionary && new Map(dictionary.primitives.map((known) => [known.name, known])),
  };
}

/**
 * Cache size: maps repeat their expressions, and parsing one costs more than all other checks of its step.
 */
const MAX_REMEMBERED = 2_000;
const MAX_REMEMBERED_CHARS = 1_000;
const remembered = new Map<string, ExpressionProblem | undefined>();

function expressionProblem(source: string): ExpressionProblem | undefined {
  if (remembered.has(source)) return remembered.get(source);
  const problem = checkExpression(source);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  if (source.length <= MAX_REMEMBERED_CHARS) remembered.set(source, problem);
  return problem;
}

const WHOLE_SLOT = 'one whole {% … %}, with nothing around it';

/** Checks a text that may be an expression. */
export function* checkSlot(text: string, path: Path): Findings {
  const slot = readSlot(text);
  if (slot.kind === 'partial') {
    const message = `mixes an expression with other text; build the whole text inside it, as {% 'Hello ' & input.name %}`;
    yield { code: 'partial_expression_unsupported', path, message, expected: WHOLE_SLOT };
  }
  const problem = slot.kind === 'expression' ? expressionProblem(slot.expression) : undefined;
  if (problem !== undefined)
    yield { code: problem.code, path, message: `cannot be used. ${problem.message.replace(/\.$/, '')}` };
}

/** Checks a text that must be an expression: a plain one would be a condition that always holds. */
export function* checkExpressionSlot(value: unknown, path: Path): Findings {
  if (typeof value !== 'string') return;
  if (readSlot(value).kind === 'text')
    yield { code: 'expression_expected', path, message: `must be ${WHOLE_SLOT}`, expected: WHOLE_SLOT };
  else yield* checkSlot(value, path);
}
