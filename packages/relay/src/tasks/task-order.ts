import type { JsonObject } from '@drawbridge/ledger';
import type { SchemaChecks } from '@drawbridge/manifest/node';
import { LIMITS } from '@drawbridge/protocol';
import { isObject, readJson } from '@drawbridge/protocol/manifest';

/** A task as `POST /api/tasks` accepts it. */
export interface TaskOrder {
  readonly prompt: string;
  /** The page to open first. */
  readonly url?: string;
  /** JSON Schema of the result. */
  readonly schema?: JsonObject;
  /** The runtime or task-protocol client to run on; any idle one when left out. */
  readonly runtime?: string;
  readonly priority: number;
  /** Running time: the clock stops while the task waits for a person or a person holds it. */
  readonly timeout_ms: number;
  /** Overrides of the default limits. */
  readonly limits?: TaskLimits;
}

export interface TaskLimits {
  readonly max_steps?: number;
  readonly max_tokens?: number;
  /** In US dollars. */
  readonly max_cost?: number;
}

/** A problem of a body: the field, and what to do about it. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

const DEFAULT_TIMEOUT_MS = 30 * 60_000;
const LONGEST_MS = 24 * 60 * 60_000;
const BODY_CHARS = 262_144;
const FIELDS = ['prompt', 'runtime', 'url', 'schema', 'metadata'];
const METADATA = 'priority, timeout, max_steps, max_tokens and max_cost';

class Wrong extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export function parseOrder(text: string): TaskOrder | FieldProblem {
  try {
    return orderOf(parseObject(text));
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { field: error.field, message: error.message };
  }
}

export const isProblem = (value: object): value is FieldProblem => 'field' in value;

export function parseAnswer(text: string): string | FieldProblem {
  try {
    const { answer } = parseObject(text);
    if (typeof answer === 'string' && answer.trim() !== '' && answer.length <= LIMITS.query.value) {
      return answer;
    }
    return { field: 'answer', message: `Send {"answer": TEXT}, of 1 to ${LIMITS.query.value} characters.` };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { field: error.field, message: error.message };
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const read = readJson(text, BODY_CHARS);
  if (!read.ok) throw new Wrong('', `The body ${read.problem.message}. Send a JSON object.`);
  if (!isObject(read.value)) throw new Wrong('', 'The body is no JSON object. Send {"prompt": "…"}.');
  return read.value;
}

function orderOf(body: Readonly<Record<string, unknown>>): TaskOrder {
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) {
    throw new Wrong(unknown, `There is no field "${unknown}". Use ${FIELDS.join(', ')}.`);
  }
  const { prompt, runtime, url, schema, metadata = {} } = body;
  if (typeof prompt !== 'string' || prompt.trim() === '' || prompt.length > LIMITS.query.value) {
    throw new Wrong('prompt', `Say in "prompt" what to do, in 1 to ${LIMITS.query.value} characters.`);
  }
  if (!isObject(metadata)) throw new Wrong('metadata', `"metadata" is an object of ${METADATA}.`);
  return {
    prompt,
    priority: numberOf(metadata, 'priority', 0, -1e9, 1e9, 'A higher one goes first.'),
    timeout_ms: numberOf(metadata, 'timeout', DEFAULT_TIMEOUT_MS, 1, LONGEST_MS, 'Use milliseconds.'),
    ...limitsOf(metadata),
    ...(runtime !== undefined && { runtime: runtimeOf(runtime) }),
    ...(url !== undefined && { url: urlOf(url) }),
    ...(schema !== undefined && { schema: schemaOf(schema) }),
  };
}

function numberOf(
  metadata: Readonly<Record<string, unknown>>,
  name: string,
  usual: number,
  least: number,
  most: number,
  meaning: string,
): number {
  const value = metadata[name] ?? usual;
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new Wrong(`metadata.${name}`, `"${name}" is a number from ${least} to ${most}. ${meaning}`);
}

function limitsOf(metadata: Readonly<Record<string, unknown>>): Pick<TaskOrder, 'limits'> {
  const { max_steps, max_tokens, max_cost } = metadata;
  const limits = {
    ...(max_steps !== undefined && { max_steps: wholeOf(metadata, 'max_steps', 1_000) }),
    ...(max_tokens !== undefined && { max_tokens: wholeOf(metadata, 'max_tokens', 1e9) }),
    ...(max_cost !== undefined && {
      max_cost: numberOf(metadata, 'max_cost', 0, 0.0001, 1e6, 'Use US dollars.'),
    }),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
}

function wholeOf(metadata: Readonly<Record<string, unknown>>, name: string, most: number): number {
  const value = numberOf(metadata, name, 0, 1, most, 'Use a whole number.');
  if (Number.isInteger(value)) return value;
  throw new Wrong(`metadata.${name}`, `"${name}" is a whole number from 1 to ${most}.`);
}

function runtimeOf(value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= LIMITS.id.value) return value;
  throw new Wrong('runtime', '"runtime" is the id of a runtime. Leave it out for any that is idle.');
}

function urlOf(value: unknown): string {
  const isPage = typeof value === 'string' && value.length <= LIMITS.url.value && URL.canParse(value);
  if (isPage && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new Wrong('url', '"url" is the http or https address of the page to begin on.');
}

function schemaOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new Wrong('schema', '"schema" is a JSON Schema: an object.');
  return trustJsonObject(value);
}

/** Whether results can be checked against the schema. */
export async function schemaProblem(
  { schema }: TaskOrder,
  checks: Pick<SchemaChecks, 'check'>,
  device_id: string,
): Promise<FieldProblem | undefined> {
  if (schema === undefined) return undefined;
  const tried = await checks.check(schema, null, device_id);
  if (tried.ok || !tried.message.startsWith('cannot be checked')) return undefined;
  const message = 'The result could not be checked against this "schema". Send a plain JSON Schema.';
  return { field: 'schema', message };
}

/** Safe because the value was parsed from JSON. */
function trustJsonObject(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
