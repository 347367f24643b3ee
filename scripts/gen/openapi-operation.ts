import type { JsonObject } from './json-schema.ts';
import { answer, body, refusals } from './openapi-parts.ts';

interface Operation {
  readonly body?: JsonObject;
  readonly parameters?: readonly JsonObject[];
  /** Schema of the answer; without it the answer has no body. */
  readonly gives?: JsonObject;
  readonly status?: 200 | 201 | 202 | 204 | 307;
  readonly refuses?: readonly number[];
  /** Needs no device token. */
  readonly open?: boolean;
}

export const operations =
  (tag: string) =>
  (operationId: string, summary: string, operation: Operation = {}): JsonObject => {
    const { gives, parameters = [], refuses = [], open = false } = operation;
    const { status = gives === undefined ? 204 : 200 } = operation;
    const done = gives === undefined ? { description: 'Done.' } : answer('Done.', gives);
    return {
      ...{ operationId, tags: [tag], summary },
      ...(open && { security: [] }),
      ...(parameters.length > 0 && { parameters: [...parameters] }),
      ...(operation.body && { requestBody: body(operation.body) }),
      responses: { [status]: done, ...refusals(...(open ? refuses : [401, 403, ...refuses])) },
    };
  };

export const text = { type: 'string' } as const;
export const texts = { type: 'array', items: text } as const;
export const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  ...(required.length > 0 && { required: [...required] }),
  properties,
});
export const list = (name: string): JsonObject =>
  object({ [name]: { type: 'array', items: { type: 'object' } } }, [name]);
