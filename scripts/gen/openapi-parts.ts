import { type JsonObject, reference } from './json-schema.ts';

/** Building blocks of the paths in the OpenAPI document. */

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

export const body = (schema: JsonObject): JsonObject => ({ required: true, ...json(schema) });

export const answer = (description: string, schema: JsonObject): JsonObject => ({
  description,
  ...json(schema),
});

const FAILURES: Readonly<Record<number, string>> = {
  400: 'The body or a parameter breaks a rule; `path` names the field. Nothing was stored.',
  401: 'There is no valid credential. Nothing is learnt and nothing is stored.',
  403: 'The credential does not allow this.',
  404: 'There is no such thing, or the caller may not see it.',
  409: 'Another call of the same task is running.',
  413: 'The body is larger than its limit.',
  429: 'Too many calls. Try again in a minute.',
};

/** Failures of contract 4, all with its envelope. */
export const failures = (...codes: readonly number[]): JsonObject =>
  refused(codes, FAILURES, 'ErrorResponse');

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
export const refusals = (...codes: readonly number[]): JsonObject => refused(codes, REFUSALS, 'ApiError');

const refused = (codes: readonly number[], words: Readonly<Record<number, string>>, envelope: string) =>
  Object.fromEntries(
    codes.map((code) => {
      const said = words[code];
      if (said === undefined) throw new Error(`Say what ${code} means in ${envelope}.`);
      return [String(code), answer(said, reference(envelope))];
    }),
  );

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
