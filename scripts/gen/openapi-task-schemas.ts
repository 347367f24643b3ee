import type { JsonObject } from './json-schema.ts';

const text = { type: 'string' } as const;
const time = { type: 'integer', description: 'Milliseconds since 1970.' } as const;
const maybeTime = { type: ['integer', 'null'], description: 'Milliseconds since 1970.' } as const;

const count = { type: 'integer' } as const;
const dollars = { type: 'number', description: 'In US dollars.' } as const;
const price = { type: 'number', minimum: 0, maximum: 10_000 } as const;

/** The bodies that are no frames of a protocol: those of tasks, and the errors beside contract 4. */
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
          message: { ...text, description: 'What failed, and what to do next.' },
          field: { ...text, description: 'Of the body, where one is to blame.' },
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
        description: 'In US dollars for a million tokens. Without it, what tasks cost is unknown.',
      },
    },
  },
  TaskOrder: {
    type: 'object',
    required: ['prompt'],
    additionalProperties: false,
    properties: {
      prompt: { ...text, minLength: 1, maxLength: 10_000 },
      runtime: { ...text, description: 'Any that is idle, unless given.' },
      url: { ...text, format: 'uri', description: 'Opened first; http or https.' },
      schema: { type: 'object', description: 'A JSON Schema that the result must fit.' },
      metadata: {
        type: 'object',
        properties: {
          priority: { type: 'number', default: 0, description: 'A higher one goes first.' },
          timeout: {
            ...{ type: 'number', minimum: 1, maximum: 86_400_000, default: 1_800_000 },
            description: 'Milliseconds of running; while a person is waited for, none pass.',
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
      question: { ...text, description: 'What it asks a person.' },
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
        description: 'What it has used so far; none without a model.',
      },
      budget: {
        ...{ type: 'object', required: ['steps', 'tokens', 'time_ms'] },
        properties: { steps: count, tokens: count, time_ms: { type: 'number' }, cost: dollars },
        description: 'What it may use; a client of the task protocol keeps none.',
      },
      result: { description: 'What fits the schema, where one was given.' },
      error: { type: 'object', properties: { code: text, message: text } },
      ...{ retry_of: text, retried_as: text },
      ...{ created_at: time, started_at: maybeTime, updated_at: time, settled_at: maybeTime },
    },
  },
};
