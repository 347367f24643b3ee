import { isObject } from '@drawbridge/protocol/manifest';
import { misfitOf, type PrimitiveSpec } from '@drawbridge/protocol/primitives';

type InputSchema = PrimitiveSpec['input_schema'];
type FieldSchema = InputSchema['properties'][string];

/** All that a closed object of fields says of itself. */
const OBJECT_WORDS: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties']);
const STRING_WORDS: ReadonlySet<string> = new Set(['type', 'minLength', 'maxLength']);

/**
 * Whether arguments fit, one by one. A schema as a whole takes its time for every option there is, and a press
 * gives one of many. False where only the whole can tell: then that is asked.
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

/** Lengths are counted in characters, of which a text has at least half as many as it has units. */
function isPlainText(field: FieldSchema, value: unknown): boolean {
  if (typeof value !== 'string' || Reflect.get(field, 'type') !== 'string') return false;
  const least = Number(Reflect.get(field, 'minLength') ?? 0);
  const most = Number(Reflect.get(field, 'maxLength') ?? Number.POSITIVE_INFINITY);
  return saysOnly(field, STRING_WORDS) && Math.ceil(value.length / 2) >= least && value.length <= most;
}
