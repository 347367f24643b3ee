import { describe, isObject, nameOf } from '@drawbridge/protocol/manifest';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import type { Path } from '../source/path.ts';
import type { ErrorCode } from './codes.ts';
import type { Finding, Findings } from './finding.ts';
import { nearest, suggest } from './nearest.ts';

type Schema = Record<string, unknown>;

const asSchema = (value: unknown): Schema => (isObject(value) ? value : {});
const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Every mismatch with a schema. TypeBox itself stops after a few. */
export function* checkShape(expected: TSchema, value: unknown, path: Path = []): Findings {
  const schema = asSchema(expected);
  const inner = branchFor(schema, value);
  if (isObject(inner['properties']) && isObject(value)) yield* checkObject(inner, value, path);
  else if (isObject(inner['items']) && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* checkShape(inner['items'], item, [...path, index]);
  } else if (!Check(schema, value)) yield wrongValue(schema, value, path);
}

/** Selects the branch of a union for lists or objects, so that errors name the item. */
function branchFor(schema: Schema, value: unknown): Schema {
  if (!Array.isArray(schema['anyOf'])) return schema;
  const branches = schema['anyOf'].map(asSchema);
  const kind = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : undefined;
  return branches.find(({ type }) => type === kind) ?? schema;
}

function* checkObject(schema: Schema, value: Record<string, unknown>, path: Path): Findings {
  const properties = asSchema(schema['properties']);
  const known = Object.keys(properties);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  for (const key of stringsIn(schema['required'])) {
    if (Object.hasOwn(value, key)) continue;
    const expected = describe(asSchema(properties[key]));
    yield {
      code: codeAt([...path, key], 'missing_field'),
      path: [...path, key],
      message: `is missing: it must be ${expected}`,
      expected,
      ...maybeMisspelt(key, unknown),
    };
  }
  for (const [key, inner] of Object.entries(value)) {
    if (known.includes(key)) yield* checkShape(asSchema(properties[key]), inner, [...path, key]);
    else if (schema['additionalProperties'] === false) yield unknownField(key, known, path);
  }
}

function maybeMisspelt(key: string, unknown: readonly string[]): { readonly suggestion?: string } {
  const written = nearest(key, unknown);
  return written === undefined ? {} : { suggestion: `is \`${written}\` meant to be \`${key}\`?` };
}

function unknownField(key: string, known: readonly string[], path: Path): Finding {
  return {
    code: 'unknown_field',
    path: [...path, key],
    part: 'key',
    message: `has no field \`${key}\``,
    expected: `one of ${known.join(', ')}`,
    ...suggest(key, known),
  };
}

function wrongValue(schema: Schema, value: unknown, path: Path): Finding {
  const expected = describe(schema);
  return {
    code: codeAt(
      path,
      typeof schema['pattern'] === 'string' && typeof value === 'string'
        ? 'unsafe_identifier'
        : 'wrong_value',
    ),
    path,
    message: `must be ${expected}; got ${quoted(value, schema)}`,
    expected,
    ...suggest(value, stringsIn(schema['enum'] ?? [schema['const']])),
  };
}

const MAX_QUOTED_CHARS = 40;

/** Short words of a map may be quoted, because a map is a document for people. */
const quoted = (value: unknown, schema: Schema): string =>
  typeof value === 'string' && value.length <= MAX_QUOTED_CHARS
    ? JSON.stringify(value)
    : nameOf(value, schema);

const SELECTOR_FIELDS = ['selector', 'selectors', 'fallback_selectors'];
const SCHEMA_FIELDS = ['input_schema', 'result_schema', 'payload', 'output_schema'];

/** Fields with a specific code for any error. */
function codeAt(path: Path, otherwise: ErrorCode): ErrorCode {
  if (path.length === 1 && path[0] === 'protocol') return 'unsupported_protocol';
  if (path.length === 1 && path[0] === 'version') return 'unsupported_version';
  if (otherwise === 'missing_field') return otherwise;
  const field = path.findLast((segment) => typeof segment === 'string') ?? '';
  if (SELECTOR_FIELDS.includes(String(field))) return 'invalid_selector';
  return SCHEMA_FIELDS.includes(String(field)) ? 'invalid_schema' : otherwise;
}
