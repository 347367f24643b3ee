import { isObject } from '@drawbridge/protocol/manifest';
import { referencedPath, resolveReference } from '../source/path.ts';
import type { LinearPattern, PatternResult } from './linear-pattern.ts';

/**
 * Rewrites a JSON Schema of a map into one that is safe to evaluate: keeps only keywords in the table below
 * with valid values, runs patterns in RE2, and resolves each `$ref` itself to count it. Anything else is
 * reported as a problem.
 */
export interface SchemaProblem {
  readonly at: readonly string[];
  readonly code: 'invalid_schema' | 'unsafe_pattern';
  readonly message: string;
}

/** A schema that TypeBox may evaluate. */
export type SafeSchema = boolean | Record<string, unknown>;

interface RewriteHooks {
  /** The schema asks which properties or items other keywords evaluated, which only TypeBox's own keywords report. */
  readonly tracksEvaluated: boolean;
  /** Compiles a pattern within the budget of its schema. */
  readonly patternOf: (source: string) => PatternResult;
  /** Returns a schema that refers to the target at this path. */
  readonly refer: (target: SafeSchema, at: readonly string[]) => Record<string, unknown>;
  /** Returns the schema for lists without duplicates: TypeBox copies its list of duplicates for each one. */
  readonly unique: () => Record<string, unknown>;
  /** Returns the object to evaluate in place of a rewritten one. */
  readonly visited: (safe: Record<string, unknown>) => Record<string, unknown>;
  /** Returns the schema for properties that match a pattern, and for those that match none. */
  readonly matchProperties: (rules: PropertyRules) => Record<string, unknown>;
}

export interface PropertyRules {
  readonly named: ReadonlySet<string>;
  readonly patterns: readonly { readonly pattern: LinearPattern; readonly schema: SafeSchema }[];
  readonly others: SafeSchema;
}

interface Work extends RewriteHooks {
  readonly root: unknown;
  readonly problems: SchemaProblem[];
}

const MOST_PROBLEMS = 100;

type At = readonly string[];
type Reader = (value: unknown, at: At, work: Work) => unknown;

export function rewriteSchema(schema: unknown, at: At, work: Work): SafeSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) {
    report(work, at, 'must be a JSON Schema: an object, true or false');
    return true;
  }
  const safe: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const read = READERS.get(keyword);
    const rewritten = read?.(value, [...at, keyword], work);
    if (rewritten !== undefined) safe[keyword] = rewritten;
  }
  if ('pattern' in safe) safe['description'] = `a string that matches ${schema['pattern']}`;
  if (isObject(safe['patternProperties'])) withoutPatternProperties(schema, safe, work);
  if (safe['uniqueItems'] !== undefined) withoutUniqueItems(safe, work);
  if (typeof schema['$ref'] === 'string') withReference(schema['$ref'], safe, at, work);
  return work.visited(safe);
}

function report(
  work: Work,
  at: At,
  message: string,
  code: SchemaProblem['code'] = 'invalid_schema',
): undefined {
  // The list is compared with itself, so its length is limited.
  if (work.problems.length < MOST_PROBLEMS) work.problems.push({ at, code, message });
  return undefined;
}

/** TypeBox would run the patterns of `patternProperties` natively, so they become a custom check. */
function withoutPatternProperties(
  schema: Record<string, unknown>,
  safe: Record<string, unknown>,
  work: Work,
): void {
  const rules = {
    named: new Set(Object.keys(isObject(schema['properties']) ? schema['properties'] : {})),
    patterns: Object.entries(safe['patternProperties'] ?? {}).flatMap(([source, inner]) => {
      const result = work.patternOf(source);
      return result.ok && isSafeSchema(inner) ? [{ pattern: result.pattern, schema: inner }] : [];
    }),
    others: isSafeSchema(safe['additionalProperties']) ? safe['additionalProperties'] : true,
  };
  delete safe['patternProperties'];
  delete safe['additionalProperties'];
  alsoFits(safe, work.matchProperties(rules));
}

function withoutUniqueItems(safe: Record<string, unknown>, work: Work): void {
  if (safe['uniqueItems'] === true) alsoFits(safe, work.unique());
  delete safe['uniqueItems'];
}

function alsoFits(safe: Record<string, unknown>, schema: Record<string, unknown>): void {
  safe['allOf'] = [...(Array.isArray(safe['allOf']) ? safe['allOf'] : []), schema];
}

function withReference(reference: string, safe: Record<string, unknown>, at: At, work: Work): void {
  const target = resolveReference(work.root, reference);
  if (!isSafeSchema(target)) {
    const place = [...at, '$ref'];
    report(
      work,
      place,
      reference.startsWith('#')
        ? 'leads nowhere in this schema'
        : 'may only refer inside its own schema, as #/$defs/name or #anchor',
    );
    return;
  }
  alsoFits(safe, work.refer(target, referencedPath(work.root, reference) ?? []));
}

const isSafeSchema = (value: unknown): value is SafeSchema => typeof value === 'boolean' || isObject(value);

const TYPES: readonly unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const must =
  (fits: (value: unknown) => boolean, expected: string): Reader =>
  (value, at, work) =>
    fits(value) ? value : report(work, at, `must be ${expected}`);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isStringList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** TypeBox copies its list of matches for each one. */
const MOST_ALTERNATIVES = 256;

const listOfSchemas: Reader = (value, at, work) => {
  if (!Array.isArray(value)) return report(work, at, 'must be a list of schemas');
  if (value.length > MOST_ALTERNATIVES) return report(work, at, `has more than ${MOST_ALTERNATIVES} schemas`);
  return value.map((item, index) => rewriteSchema(item, [...at, String(index)], work));
};

const mapOf =
  (read: Reader): Reader =>
  (value, at, work) => {
    if (!isObject(value)) return report(work, at, 'must be an object whose values are schemas');
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, read(inner, [...at, key], work)]),
    );
  };

const pattern: Reader = (value, at, work) => {
  if (typeof value !== 'string') return report(work, at, 'must be a string');
  const result = work.patternOf(value);
  return result.ok ? new LinearRegExp(result.pattern) : report(work, at, result.message, 'unsafe_pattern');
};

/** TypeBox accepts a RegExp as a pattern and calls only `test`. */
class LinearRegExp extends RegExp {
  readonly #pattern: LinearPattern;

  constructor(linear: LinearPattern) {
    super('');
    this.#pattern = linear;
  }

  override test(text: string): boolean {
    return this.#pattern.test(text);
  }
}

const patternProperties: Reader = (value, at, work) => {
  if (work.tracksEvaluated)
    return report(work, at, 'is not supported beside unevaluatedProperties; use additionalProperties there');
  if (!isObject(value)) return report(work, at, 'must be an object whose values are schemas');
  for (const source of Object.keys(value)) {
    const result = work.patternOf(source);
    if (!result.ok) report(work, [...at, source], result.message, 'unsafe_pattern');
  }
  return mapOf(rewriteSchema)(value, at, work);
};

const unsupported =
  (instead: string): Reader =>
  (_, at, work) =>
    report(work, at, `is not supported in maps; ${instead}`);

/** Reports problems only: TypeBox never sees the result. */
const checkedOnly =
  (read: Reader): Reader =>
  (value, at, work) => {
    read(value, at, work);
    return undefined;
  };

/** https://json-schema.org/draft/2020-12/json-schema-core#name-defining-location-independe */
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/;

const number = must((value) => typeof value === 'number', 'a number');
const count = must(isCount, 'a whole number from 0');
const text = must((value) => typeof value === 'string', 'a string');
const strings = must(isStringList, 'a list of strings');

const READERS = new Map<string, Reader>(
  Object.entries<Reader>({
    type: must(
      (value) =>
        TYPES.includes(value) ||
        (isStringList(value) && value.length > 0 && value.every((name) => TYPES.includes(name))),
      `one of ${TYPES.join(', ')}, or a list of these`,
    ),
    enum: must(Array.isArray, 'a list of values'),
    const: (value) => value,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: must((value) => typeof value === 'number' && value > 0, 'a number above 0'),
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    uniqueItems: must((value) => typeof value === 'boolean', 'true or false'),
    format: text,
    pattern,
    required: strings,
    properties: mapOf(rewriteSchema),
    patternProperties,
    additionalProperties: rewriteSchema,
    propertyNames: rewriteSchema,
    dependentRequired: mapOf(strings),
    dependentSchemas: mapOf(rewriteSchema),
    dependencies: mapOf((value, at, work) => (isStringList(value) ? value : rewriteSchema(value, at, work))),
    items: (value, at, work) => (Array.isArray(value) ? listOfSchemas : rewriteSchema)(value, at, work),
    prefixItems: listOfSchemas,
    additionalItems: rewriteSchema,
    contains: rewriteSchema,
    allOf: listOfSchemas,
    anyOf: listOfSchemas,
    oneOf: listOfSchemas,
    not: rewriteSchema,
    if: rewriteSchema,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: rewriteSchema,
    else: rewriteSchema,
    $ref: checkedOnly(text),
    $anchor: checkedOnly(
      must((value) => typeof value === 'string' && ANCHOR.test(value), 'a name such as "address"'),
    ),
    $defs: checkedOnly(mapOf(rewriteSchema)),
    definitions: checkedOnly(mapOf(rewriteSchema)),
    unevaluatedProperties: rewriteSchema,
    unevaluatedItems: rewriteSchema,
    $dynamicRef: unsupported('use $ref'),
    $recursiveRef: unsupported('use $ref'),
  }),
);
