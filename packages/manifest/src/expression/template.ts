import { BridgeError } from '@drawbridge/protocol';
import type { EvaluationLimits, Evaluator } from '../host.ts';
import { readSlot } from './slot.ts';

/**
 * Evaluates every string that is a whole `{% … %}` slot, at any depth, over the scope. The result keeps its
 * type; all other values are unchanged.
 */
export async function fillTemplate(
  template: unknown,
  scope: () => unknown,
  evaluator: Evaluator,
  limits?: EvaluationLimits,
): Promise<unknown> {
  if (!hasSlot(template)) return template;
  const input = scope();
  const fill = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return fillText(value, input, evaluator, limits);
    if (Array.isArray(value)) return fillAll(value, fill);
    if (typeof value !== 'object' || value === null) return value;
    const filled = await fillAll(Object.values(value), fill);
    const entries = Object.keys(value).map((key, at): [string, unknown] => [key, filled[at]]);
    // A slot without a result removes its field, as JSON does.
    return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
  };
  return fill(template);
}

/** Sequential, so that the first failing slot is always the one reported. */
async function fillAll(
  values: readonly unknown[],
  fill: (value: unknown) => Promise<unknown>,
): Promise<unknown[]> {
  const filled: unknown[] = [];
  for (const value of values) filled.push(await fill(value));
  return filled;
}

async function fillText(text: string, input: unknown, evaluator: Evaluator, limits?: EvaluationLimits) {
  const slot = readSlot(text);
  if (slot.kind === 'text') return text;
  if (slot.kind === 'partial') throw partialSlot(text);
  return evaluator.evaluate(slot.expression, input, limits);
}

/** Evaluates a condition, loop or verification, which must be one whole slot and is never text. */
export async function evaluateSlot(
  text: string,
  scope: () => unknown,
  evaluator: Evaluator,
  limits?: EvaluationLimits,
): Promise<unknown> {
  const slot = readSlot(text);
  if (slot.kind !== 'expression') throw partialSlot(text);
  return evaluator.evaluate(slot.expression, scope(), limits);
}

function hasSlot(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{%');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasSlot);
}

const partialSlot = (text: string): BridgeError =>
  new BridgeError(
    'partial_expression_unsupported',
    'An expression must be one whole {% … %}: put the text around it inside, joined with &.',
    { evidence: { text: text.slice(0, 200) } },
  );
