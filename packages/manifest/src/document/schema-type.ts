import { isObject } from '@drawbridge/protocol/manifest';
import { resolveReference } from '../source/path.ts';

/**
 * Translates a JSON Schema into a TypeScript type. Drops constraints that TypeScript lacks; other
 * unsupported schemas become `unknown`.
 */
export function typeOf(schema: unknown, root: unknown = schema, depth = 0): string {
  if (schema === false) return 'never';
  if (!isObject(schema) || depth > MAX_DEPTH) return 'unknown';
  const inner = (part: unknown): string => typeOf(part, root, depth + 1);
  if (typeof schema['$ref'] === 'string') return inner(resolveReference(root, schema['$ref']));
  if ('const' in schema) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal));
  for (const key of ['anyOf', 'oneOf']) if (Array.isArray(schema[key])) return union(schema[key].map(inner));
  if (Array.isArray(schema['allOf']))
    return schema['allOf'].map((part) => grouped(inner(part))).join(' & ') || 'unknown';
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, root, depth + 1)));
  switch (type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly ${grouped(isObject(schema['items']) ? inner(schema['items']) : 'unknown')}[]`;
    default:
      return type === 'object' || isObject(schema['properties']) ? objectType(schema, inner) : 'unknown';
  }
}

/** The type on one line, for a table. */
export const typeWords = (schema: unknown): string => typeOf(schema).replaceAll(/\s+/g, ' ');

const MAX_DEPTH = 12;

function objectType(schema: Record<string, unknown>, inner: (part: unknown) => string): string {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const others = schema['additionalProperties'];
  const open = others !== false;
  if (properties.length === 0)
    return open
      ? `{ readonly [key: string]: ${isObject(others) ? inner(others) : 'unknown'} }`
      : 'Record<string, never>';
  const lines = properties.map(([name, part]) => {
    const optional = required.includes(name) ? '' : '?';
    return indent(`${comment(part)}readonly ${propertyName(name)}${optional}: ${inner(part)};`);
  });
  return `{\n${lines.join('\n')}\n}`;
}

function comment(schema: unknown): string {
  const text = isObject(schema) ? schema['description'] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? `${docComment(text)}\n` : '';
}

export const docComment = (text: string): string =>
  `/** ${text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim()} */`;

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');

const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

/** JSON is valid TypeScript except for line separators in strings. */
const literal = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'unknown' : (JSON.stringify(value) ?? 'unknown');

const union = (types: readonly string[]): string => [...new Set(types.map(grouped))].join(' | ') || 'never';

const grouped = (type: string): string =>
  /[|&]|^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type;
