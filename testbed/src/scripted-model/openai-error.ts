import type { JsonObject } from './json-object.ts';

const ERROR_TYPES: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
};

/** https://platform.openai.com/docs/guides/error-codes */
export function openAiError(status: number, message: string): JsonObject {
  const [type, code] = ERROR_TYPES[status] ?? ['server_error', null];
  return { error: { message, type, param: null, code } };
}
