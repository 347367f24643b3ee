import { isObject } from '@drawbridge/protocol/manifest';
import { misfitOf, type PrimitiveSpec } from '@drawbridge/protocol/primitives';

type InputSchema = PrimitiveSpec['input_schema'];
type FieldSchema = InputSchema['properties'][string];

/** All keywords of a closed object schema. */
const OBJECT_WORDS: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties']);
const STRING_WORDS: ReadonlySet<string> = new Set(['type', 'minLength', 'maxLength']);

/**
 * Whether arguments fit, checked one by one. The whole schema spends time on every optional field, and a
 * press has few of them. False when only the whole schema can tell.
 */
export function fitsPlainly(schema: InputSchema, args: unknown): boolean {
  const { properties, required = [] } = schema;
  return (
    isObject(args) &&
    saysOnly(schema, OBJECT_WORDS) &&
    Reflect.get(schema, 'additionalProperties') === false &&
    required.every((name) => Object.hasOwn(args, name)) &&
    Object.entries(args).every(([name, value]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return field !== undefined && (isPlainText(field, value) || misfitOf(field, value) === undefined);
    })
  );
}

const saysOnly = (schema: object, words: ReadonlySet<string>): boolean =>
  Object.keys(schema).every((word) => words.has(word));

/** Lengths are counted in characters; a string has at least half as many as UTF-16 units. */
function isPlainText(field: FieldSchema, value: unknown): boolean {
  if (typeof value !== 'string' || Reflect.get(field, 'type') !== 'string') return false;
  const least = Number(Reflect.get(field, 'minLength') ?? 0);
  const most = Number(Reflect.get(field, 'maxLength') ?? Number.POSITIVE_INFINITY);
  return saysOnly(field, STRING_WORDS) && Math.ceil(value.length / 2) >= least && value.length <= most;
}
