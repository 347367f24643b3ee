import { isObject } from '@drawbridge/protocol/manifest';
import type { TLocalizedValidationError } from 'typebox/error';
import { Check, Errors } from 'typebox/schema';
import { segmentsOf, toWords } from '../source/path.ts';
import { createPatternBudget, type PatternBudget, SCHEMA_PATTERNS, TooMuchWork } from './pattern-budget.ts';
import { schemaMismatch } from './schema-mismatch.ts';
import { type PropertyRules, rewriteSchema, type SafeSchema, type SchemaProblem } from './schema-rewrite.ts';
import { MAX_PRODUCT, MAX_STEPS, sizeOf, visitCost } from './schema-work.ts';

/**
 * Checks values against the untrusted JSON Schemas of a map (input_schema, result_schema, payload,
 * output_schema) without letting them hang or escape: see schema-rewrite.ts.
 */
interface SchemaFailure {
  readonly ok: false;
  /** `items[2].name`; empty for the value itself. */
  readonly path: string;
  /** Continues the path: "must be a string; got 7". */
  readonly message: string;
}

export type SchemaResult = { readonly ok: true } | SchemaFailure;

export interface CompiledSchema {
  /** Problems of the schema. A schema with problems accepts no value. */
  readonly problems: readonly SchemaProblem[];
  readonly check: (value: unknown) => SchemaResult;
  /** Total size of its patterns. */
  readonly patternWeight: number;
}

const OK: SchemaResult = { ok: true };
const compiled = new WeakMap<object, CompiledSchema>();

/** The one check of values against a map's schemas: calls, results, payloads, states. */
export function checkSchema(schema: object, value: unknown): SchemaResult {
  return compileSchema(schema).check(value);
}

/** Compiles each schema object once, so a checked schema must not be mutated. */
export function compileSchema(schema: object): CompiledSchema {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = compile(schema);
  compiled.set(schema, made);
  return made;
}

/** Maximum number and depth of `$ref` resolutions per check, because schemas can be recursive. */
const MAX_REFERENCES = 20_000;
/** TypeBox's own references take about ten times as long. */
const MAX_NATIVE_REFERENCES = 4_000;
const MAX_REFERENCE_DEPTH = 128;

class TooCostly extends Error {}

function compile(schema: object): CompiledSchema {
  const patterns = createPatternBudget(SCHEMA_PATTERNS);
  const plain = rewritten(schema, patterns, false);
  const size = sizeOf(schema);
  let counting: Rewritten | undefined;

  const check = (value: unknown): SchemaResult => {
    const long = longList(schema, value);
    if (long !== undefined) return long;
    if (size * sizeOf(value, MAX_PRODUCT / size + 1) <= MAX_PRODUCT) {
      return plain.guarded(() => (Check(plain.safe, value) ? OK : failureOf(plain.safe, value)));
    }
    counting ??= rewritten(schema, patterns, true);
    const { safe, guarded } = counting;
    // Finding the path would take as long again.
    return guarded(() => (Check(safe, value) ? OK : fail('', 'does not fit its schema')));
  };

  const { guarded, safe, refers } = plain;
  const problems = plain.problems.filter(isFirst);
  if (refers && PROBES.some((probe) => endsNever(() => Check(safe, probe), guarded))) {
    problems.push({ at: [], code: 'invalid_schema', message: 'refers to itself without end' });
  }
  const patternWeight = patterns.weight();
  const unusable = () => fail('', 'cannot be checked: its schema is not usable');
  return { problems, patternWeight, check: problems.length > 0 ? unusable : check };
}

/** Refuses a list longer than `maxItems` by its length, because TypeBox checks every item first. */
function longList(schema: object, value: unknown): SchemaFailure | undefined {
  if (!isObject(value)) return longerThan(schema, '', value);
  const properties: unknown = Reflect.get(schema, 'properties');
  if (!isObject(properties) || '$ref' in schema) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const long = Object.hasOwn(properties, key) && longerThan(properties[key], key, inner);
    if (long) return long;
  }
  return undefined;
}

function longerThan(schema: unknown, path: string, value: unknown): SchemaFailure | undefined {
  const most = Array.isArray(value) && isObject(schema) && !('$ref' in schema) && schema['maxItems'];
  if (!Array.isArray(value) || typeof most !== 'number' || value.length <= most) return undefined;
  return fail(path, `must be a list of at most ${most} items; got a list of ${value.length}`);
}

interface Rewritten {
  readonly safe: SafeSchema;
  readonly problems: readonly SchemaProblem[];
  /** Whether it has a `$ref`. */
  readonly refers: boolean;
  /** Runs one check within its budgets. */
  readonly guarded: (run: () => SchemaResult) => SchemaResult;
}

function rewritten(schema: object, patterns: PatternBudget, isCounting: boolean): Rewritten {
  const problems: SchemaProblem[] = [];
  const targets = new Map<unknown, SafeSchema>();
  const tracksEvaluated = TRACKS_EVALUATED.test(JSON.stringify(schema));
  const budget = { used: 0, depth: 0, steps: 0 };

  const follow = (target: unknown, value: unknown): boolean => {
    budget.used++;
    budget.depth++;
    if (budget.used > MAX_REFERENCES || budget.depth > MAX_REFERENCE_DEPTH) throw new TooCostly();
    const fits = Check(targets.get(target) ?? false, value);
    budget.depth--;
    return fits;
  };

  const counted = (safe: Record<string, unknown>): Record<string, unknown> => {
    const costOf = visitCost(safe);
    const count = refinement(
      (value) => {
        budget.steps += costOf(value);
        if (budget.steps > MAX_STEPS) throw new TooMuchWork();
        return true;
      },
      () => fail('', 'does not fit its schema'),
    );
    return { allOf: [count, safe] };
  };

  /** TypeBox follows the reference itself, and keeps what the target evaluated. */
  const countReference = refinement(
    () => {
      budget.used++;
      if (budget.used > MAX_NATIVE_REFERENCES) throw new TooCostly();
      return true;
    },
    () => fail('', 'does not fit its schema'),
  );
  const keyOf = (target: unknown): string => `target_${[...targets.keys()].indexOf(target)}`;

  const work = {
    root: schema,
    tracksEvaluated,
    problems,
    patternOf: patterns.patternOf,
    visited: isCounting ? counted : (safe: Record<string, unknown>) => safe,
    refer(target: SafeSchema, at: readonly string[]) {
      if (!targets.has(target)) {
        targets.set(target, true);
        targets.set(target, rewriteSchema(target, at, work));
      }
      if (tracksEvaluated) return { allOf: [countReference, { $ref: `#/$defs/${keyOf(target)}` }] };
      return refinement(
        (value) => follow(target, value),
        (value) => failureOf(targets.get(target) ?? false, value),
      );
    },
    unique: () =>
      refinement(
        (value) => Check(UNIQUE, value),
        () => fail('', 'must not have duplicate items'),
      ),
    matchProperties: (rules: PropertyRules) =>
      refinement(
        (value) => firstBadProperty(rules, value) === undefined,
        (value) => firstBadProperty(rules, value) ?? fail('', 'does not fit its schema'),
      ),
  };
  const root = rewriteSchema(schema, [], work);
  const $defs = Object.fromEntries([...targets].map(([target, safe]) => [keyOf(target), safe]));
  const safe = tracksEvaluated ? { allOf: [root], $defs } : root;

  const guarded = (run: () => SchemaResult): SchemaResult => {
    budget.used = 0;
    budget.depth = 0;
    budget.steps = 0;
    patterns.begin();
    try {
      return run();
    } catch (error) {
      if (error instanceof TooMuchWork) return fail('', 'cannot be checked: it is too long for its schema');
      return fail('', 'cannot be checked: its schema refers to itself without end, or nests too deep');
    }
  };
  return { safe, problems, refers: targets.size > 0, guarded };
}

const UNIQUE = { uniqueItems: true };

const TRACKS_EVALUATED = /"unevaluated(?:Properties|Items)":/;

/** The target of a `$ref` is read twice: at its position and for the reference. */
const isFirst = ({ at }: SchemaProblem, index: number, all: readonly SchemaProblem[]): boolean =>
  all.findIndex((other) => other.at.join('/') === at.join('/')) === index;

/** One value of each type: an endless reference recurses for one of them. */
const PROBES = [null, true, 0, '', [], {}];

function endsNever(run: () => boolean, guarded: (run: () => SchemaResult) => SchemaResult): boolean {
  return !guarded(() => {
    run();
    return OK;
  }).ok;
}

/**
 * TypeBox's hook for custom checks. The error is a function, because explaining a mismatch at every level
 * would double the work with each level.
 */
const refinement = (check: (value: unknown) => boolean, explain: (value: unknown) => SchemaFailure) => ({
  '~refine': [{ check, error: (value: unknown) => () => explain(value) }],
});

function firstBadProperty(
  { named, patterns, others }: PropertyRules,
  value: unknown,
): SchemaFailure | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const matching = patterns.filter(({ pattern }) => pattern.test(key)).map(({ schema }) => schema);
    const schemas = matching.length > 0 || named.has(key) ? matching : [others];
    const broken = schemas.find((schema) => !Check(schema, inner));
    if (broken !== undefined) return within(key, failureOf(broken, inner));
  }
  return undefined;
}

const fail = (path: string, message: string): SchemaFailure => ({ ok: false, path, message });

function within(outer: string, { path, message }: SchemaFailure): SchemaFailure {
  if (outer === '' || path === '') return fail(outer + path, message);
  return fail(path.startsWith('[') ? `${outer}${path}` : `${outer}.${path}`, message);
}

/** Keywords whose error is clearest with the expected value. */
const SAID_BY_VALUE = new Set([
  ...['type', 'const', 'enum', 'required', 'boolean', 'pattern', 'anyOf'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
]);

/** Only for a value that failed its check. */
function failureOf(schema: SafeSchema, value: unknown): SchemaFailure {
  if (typeof schema === 'boolean') return fail('', 'must be absent');
  const [, errors] = Errors(schema, value);
  const error = errors[0];
  if (error !== undefined && '$defs' in schema) return nativeFailure(error);
  const mismatch = schemaMismatch(schema, value);
  if (error === undefined) return fail('', 'does not fit its schema');
  const unsure = /\/(anyOf|oneOf|not|if)(\/|$)/.test(error.schemaPath);
  if (error.keyword === '~refine' && !unsure) return within(mismatch.path, innerFailure(error.params));
  if (error.schemaPath.includes('/anyOf') || SAID_BY_VALUE.has(error.keyword))
    return fail(mismatch.path, `must be ${mismatch.expected}; got ${mismatch.came}`);
  return fail(mismatch.path, error.message);
}

/** Takes TypeBox's path, because `schemaMismatch` does not follow references. */
function nativeFailure(error: TLocalizedValidationError): SchemaFailure {
  const { instancePath, keyword, message, params } = error;
  if (keyword === '~refine') return within(toWords(segmentsOf(instancePath)), innerFailure(params));
  const names: unknown = Reflect.get(params, 'unevaluatedProperties');
  const [name] = Array.isArray(names) ? names : [];
  const path = [...segmentsOf(instancePath), ...(name === undefined ? [] : [String(name)])];
  return fail(
    toWords(path),
    name === undefined ? message : 'must be absent, as nothing in its schema names it',
  );
}

function innerFailure(params: object): SchemaFailure {
  const explain: unknown = Reflect.get(params, 'message');
  const inner: unknown = typeof explain === 'function' ? explain() : undefined;
  return isFailure(inner) ? inner : fail('', 'does not fit its schema');
}

const isFailure = (value: unknown): value is SchemaFailure =>
  typeof value === 'object' && value !== null && 'path' in value && 'message' in value;
