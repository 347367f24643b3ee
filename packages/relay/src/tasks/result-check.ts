import { checkSchema } from '@drawbridge/manifest';
import type { JsonObject } from '../ledger/records.ts';

/** Undefined when the result fits what was asked for; else what is wrong with it, to be read by whoever asked. */
export function resultProblem(schema: JsonObject | undefined, result: unknown): string | undefined {
  if (schema === undefined) return undefined;
  if (result === undefined) return 'The task ended without a result, and its schema asks for one.';
  const checked = checkSchema(schema, result);
  if (checked.ok) return undefined;
  const place = checked.path === '' ? 'The result' : `The result's ${checked.path}`;
  return `${place} ${checked.message}.`;
}
