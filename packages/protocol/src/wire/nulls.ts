import { isObject } from './json-text.ts';

/** Without each `null` in an optional field that takes none: some peers write it for a field they have no value for. */
export function withoutNulls(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(schema['items'], item));
  const { properties, required = [] } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const schemaOf = (name: string): unknown =>
    Object.hasOwn(properties, name) ? properties[name] : undefined;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => field !== null || needed.includes(name) || !isTyped(schemaOf(name)))
      .map(([name, field]) => [name, withoutNulls(schemaOf(name), field)]),
  );
}

/** A schema of one type or of fixed words; one of any type keeps its `null`. */
const isTyped = (schema: unknown): boolean => isObject(schema) && ('type' in schema || 'enum' in schema);
