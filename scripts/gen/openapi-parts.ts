import { type JsonObject, reference } from './json-schema.ts';

/** Building blocks of the paths in the OpenAPI document. */

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

export const body = (schema: JsonObject): JsonObject => ({ required: true, ...json(schema) });

export const answer = (description: string, schema: JsonObject): JsonObject => ({
  description,
  ...json(schema),
});

const FAILURES = {
  400: 'The body or a parameter breaks a rule; `path` names the field. Nothing was stored.',
  401: 'There is no valid credential. Nothing is learnt and nothing is stored.',
  403: 'The credential does not allow this.',
  404: 'There is no such thing, or the caller may not see it.',
  409: 'Another call of the same task is running.',
  413: 'The body is larger than its limit.',
} as const;

/** Failures of an operation, all with the same envelope. */
export const failures = (...codes: readonly (keyof typeof FAILURES)[]): JsonObject =>
  Object.fromEntries(codes.map((code) => [String(code), answer(FAILURES[code], reference('ErrorResponse'))]));

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The body or a parameter breaks a rule; `error.field` names the field if known.',
  401: 'There is no valid credential.',
  403: 'The credential does not allow this.',
  404: 'There is no such thing, or the caller may not see it.',
  409: 'The request does not fit the current state; the message says what to do.',
  413: 'The body is larger than its limit.',
  429: 'Too many tries, or too many open. Try again in a minute.',
  503: 'Not now. Try again later.',
  507: 'There is no room left for this device.',
};

/** Failures of the relay's own endpoints, outside contract 4. */
export const refusals = (...codes: readonly number[]): JsonObject =>
  Object.fromEntries(codes.map((code) => [String(code), answer(refusal(code), reference('ApiError'))]));

function refusal(code: number): string {
  const words = REFUSALS[code];
  if (words === undefined) throw new Error(`Say in REFUSALS what ${code} means.`);
  return words;
}

export const pathParameter = (name: string, description: string, schema: JsonObject = TEXT): JsonObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});

export const queryParameter = (
  name: string,
  description: string,
  { required = false, schema = TEXT }: { readonly required?: boolean; readonly schema?: JsonObject } = {},
): JsonObject => ({ name, in: 'query', required, description, schema });

const TEXT: JsonObject = { type: 'string' };
