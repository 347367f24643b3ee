import type { JsonObject } from './json-object.ts';
import { CREATED_AT_SECONDS } from './provider-shape.ts';

const MODEL = 'scripted-model';

/** `GET /v1/models` with the fields of both OpenAI and Anthropic, which share this path. */
export const MODEL_LIST: JsonObject = {
  object: 'list',
  data: [
    {
      id: MODEL,
      object: 'model',
      created: CREATED_AT_SECONDS,
      owned_by: 'testbed',
      type: 'model',
      display_name: 'Scripted model',
      created_at: new Date(CREATED_AT_SECONDS * 1000).toISOString(),
    },
  ],
  has_more: false,
  first_id: MODEL,
  last_id: MODEL,
};
