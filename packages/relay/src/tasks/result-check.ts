import type { JsonObject } from '@drawbridge/ledger';
import type { SchemaChecks } from '@drawbridge/manifest/node';

/** Undefined when the result fits the schema; otherwise the problem, in words for the caller. */
export async function resultProblem(
  schema: JsonObject | undefined,
  result: unknown,
  checks: Pick<SchemaChecks, 'check'>,
  device_id: string,
): Promise<string | undefined> {
  if (schema === undefined) return undefined;
  if (result === undefined) return 'The task ended without a result, and its schema asks for one.';
  const checked = await checks.check(schema, result, device_id);
  if (checked.ok) return undefined;
  const subject = checked.path === '' ? 'The result' : `The result's ${checked.path}`;
  return `${subject} ${checked.message}.`;
}
