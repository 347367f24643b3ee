import { isObject } from '@drawbridge/protocol/manifest';
import { likeness } from './likeness.ts';
import type { RuleState } from './rule-state.ts';

type TaskResult =
  | { readonly ok: true; readonly value?: unknown }
  | { readonly ok: false; readonly missing: string };

/** The result in the requested form; rules read only names and values. */
export function resultOf(
  state: RuleState,
  schema: Readonly<Record<string, unknown>> | undefined,
): TaskResult {
  const known = knownValues(state);
  const last = state.found.at(-1)?.value;
  if (schema === undefined) return { ok: true, ...withValue(last ?? state.outputs.at(-1)) };
  if (!isObject(schema['properties'])) {
    const value = last === undefined ? undefined : typed(last, schema);
    return value === undefined ? { ok: false, missing: 'the result' } : { ok: true, value };
  }
  const result: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema['properties'])) {
    const value = isObject(property) ? best(name, property, known) : undefined;
    if (value !== undefined) result[name] = value;
  }
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.find((name) => typeof name === 'string' && !(name in result));
  if (missing !== undefined || Object.keys(result).length === 0)
    return { ok: false, missing: typeof missing === 'string' ? missing : 'the result' };
  return { ok: true, value: result };
}

const withValue = (value: unknown) => (value === undefined ? {} : { value });

/** By name, the newest last. */
function knownValues({ found, outputs }: RuleState): [string, unknown][] {
  const told = outputs.filter(isObject).flatMap((output) => Object.entries(output));
  return [...told, ...found.map(({ what, value }): [string, unknown] => [what, value])];
}

function best(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  known: readonly [string, unknown][],
): unknown {
  const spoken = name.replace(/[._-]+/g, ' ');
  return known
    .filter(([what]) => what === name || likeness(what, spoken) > 0)
    .map(([, value]) => typed(value, schema))
    .findLast((value) => value !== undefined);
}

function typed(value: unknown, { type }: Readonly<Record<string, unknown>>): unknown {
  if (type === 'string') return typeof value === 'object' ? undefined : String(value);
  if (type === 'number' || type === 'integer') {
    const number = typeof value === 'number' ? value : numberIn(String(value));
    return number !== undefined && (type === 'number' || Number.isInteger(number)) ? number : undefined;
  }
  return type === undefined || typeof value === type ? value : undefined;
}

/** `€1,290.50`, `1.290,50 €`, `89`: the last separator before two final digits is the decimal point. */
function numberIn(text: string): number | undefined {
  const digits = /\d[\d.,]*/.exec(text)?.[0].replace(/[.,]$/, '');
  if (digits === undefined) return undefined;
  const [, whole = digits, cents = ''] = /^(.*)[.,](\d{1,2})$/.exec(digits) ?? [];
  return Number(`${whole.replace(/[.,]/g, '')}.${cents || '0'}`);
}
