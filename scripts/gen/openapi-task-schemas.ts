import type { JsonObject } from './json-schema.ts';

const text = { type: 'string' } as const;
const time = { type: 'integer', description: 'Milliseconds since 1970.' } as const;
const maybeTime = { type: ['integer', 'null'], description: 'Milliseconds since 1970.' } as const;

const count = { type: 'integer' } as const;
const dollars = { type: 'number', description: 'In US dollars.' } as const;
const price = { type: 'number', minimum: 0, maximum: 10_000 } as const;

/** Bodies that are not frames of a protocol: tasks, and errors outside contract 4. */
export const RELAY_SCHEMAS: JsonObject = {
  ApiError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: text,
          message: { ...text, description: 'The failure, and what to do next.' },
          field: { ...text, description: 'The field of the body that caused the failure, if one did.' },
        },
      },
    },
  },
  ModelView: {
    type: 'object',
    required: ['source', 'has_key'],
    properties: {
      source: { enum: ['settings', 'environment', 'rules'] },
      ...{ provider: text, model: text, base_url: text, has_key: { type: 'boolean' }, problem: text },
      price: {
        ...{ type: 'object', required: ['input', 'output'] },
        properties: { input: price, output: price, cached: price },
        description: 'US dollars per million tokens. Without it, the cost of tasks is unknown.',
      },
    },
  },
  TaskOrder: {
    type: 'object',
    required: ['prompt'],
    additionalProperties: false,
    properties: {
      prompt: { ...text, minLength: 1, maxLength: 10_000 },
      runtime: { ...text, description: 'Any idle one if absent.' },
      url: { ...text, format: 'uri', description: 'Opened first; http or https.' },
      schema: { type: 'object', description: 'A JSON Schema that the result must fit.' },
      metadata: {
        type: 'object',
        properties: {
          priority: { type: 'number', default: 0, description: 'Higher runs first.' },
          timeout: {
            ...{ type: 'number', minimum: 1, maximum: 86_400_000, default: 1_800_000 },
            description: 'Milliseconds of running; time spent waiting for a person does not count.',
          },
          max_steps: { type: 'integer', minimum: 1, maximum: 1_000, default: 50 },
          max_tokens: { type: 'integer', minimum: 1, maximum: 1_000_000_000, default: 500_000 },
          max_cost: {
            ...{ type: 'number', minimum: 0.0001, maximum: 1_000_000 },
            description: 'In US dollars; the price of the model must be set.',
          },
        },
      },
    },
  },
  Task: {
    type: 'object',
    required: [
      ...['task_id', 'session_id', 'state', 'prompt', 'priority', 'timeout', 'steps'],
      ...['created_at', 'started_at', 'updated_at', 'settled_at'],
    ],
    properties: {
      ...{ task_id: text, session_id: text },
      state: {
        enum: ['queued', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled', 'unknown'],
      },
      note: { ...text, description: 'Why it is in this state, and what to do about it.' },
      question: { ...text, description: 'The question for a person.' },
      ...{ prompt: text, url: text, runtime: text, schema: { type: 'object' } },
      ...{ priority: { type: 'number' }, timeout: { type: 'number' }, runs_on: text },
      ...{ plan: { type: 'object' }, steps: { type: 'integer' }, message: text },
      usage: {
        ...{
          type: 'object',
          required: ['steps', 'tokens', 'input_tokens', 'output_tokens', 'cached_tokens'],
        },
        properties: {
          ...{ steps: count, tokens: count, input_tokens: count, output_tokens: count, cached_tokens: count },
          cost: { ...dollars, description: 'In US dollars; unknown where the model has no price.' },
        },
        description: 'Use so far; absent without a model.',
      },
      budget: {
        ...{ type: 'object', required: ['steps', 'tokens', 'time_ms'] },
        properties: { steps: count, tokens: count, time_ms: { type: 'number' }, cost: dollars },
        description: 'The limits of use; a client of the task protocol has none.',
      },
      result: { description: 'The result, which fits the schema if one was given.' },
      error: { type: 'object', properties: { code: text, message: text } },
      ...{ retry_of: text, retried_as: text },
      ...{ created_at: time, started_at: maybeTime, updated_at: time, settled_at: maybeTime },
    },
  },
};
