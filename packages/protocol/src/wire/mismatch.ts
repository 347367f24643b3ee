import type { TSchema } from 'typebox';
import { Errors } from 'typebox/schema';
import { isObject } from './json-text.ts';

/** The first mismatch of a value with its schema, in words for its author. */
export interface Mismatch {
  /** `sessions[2].status`; empty for the message itself. */
  readonly path: string;
  readonly expected: string;
  readonly came: string;
}

type Node = Record<string, unknown>;
type Segments = readonly string[];

/** Only for a value that failed its check. TypeBox stops after eight errors, so this stays cheap. */
export function findMismatch(schema: TSchema, value: unknown): Mismatch {
  const place = locate(asNode(schema), value, []);
  return { path: toPath(place.at, value), expected: place.expected, came: place.came };
}

interface FieldPath {
  readonly at: Segments;
  readonly expected: string;
  readonly came: string;
}

function locate(schema: Node, value: unknown, at: Segments): FieldPath {
  const branches = branchesOf(schema);
  if (branches !== undefined) return locateInUnion(schema, branches, value, at);
  const [, errors] = Errors(schema, value);
  const error = errors[0];
  if (error === undefined)
    return { at, expected: 'a value that fits its schema', came: nameOf(value, schema) };
  const schemaPath = segmentsOf(error.schemaPath.slice(1));
  const valuePath = segmentsOf(error.instancePath);
  const union = schemaPath.indexOf('anyOf');
  if (union >= 0) {
    const outer = schemaPath.slice(0, union);
    const inner = valuePath.slice(0, stepsIntoValue(outer));
    return locate(asNode(follow(schema, outer)), follow(value, inner), [...at, ...inner]);
  }
  if (error.keyword === 'required') {
    const [missing = ''] = error.params.requiredProperties;
    const node = asNode(follow(schema, [...schemaPath, 'properties', missing]));
    return { at: [...at, ...valuePath, missing], expected: describe(node), came: 'nothing' };
  }
  if (error.keyword === 'boolean') {
    const holder = follow(value, valuePath.slice(0, -1));
    if (Array.isArray(holder)) {
      const list = asNode(follow(schema, schemaPath.slice(0, -1)));
      return { at: [...at, ...valuePath.slice(0, -1)], expected: describe(list), came: nameOf(holder, list) };
    }
    return {
      at: [...at, ...valuePath],
      expected: 'absent, as there is no such field',
      came: nameOf(follow(value, valuePath), {}),
    };
  }
  const node = asNode(follow(schema, schemaPath));
  return {
    at: [...at, ...valuePath],
    expected: describe(node),
    came: nameOf(follow(value, valuePath), node),
  };
}

/**
 * Selects a branch of a union by the kind that its objects name, or by type, so that the error is about one
 * branch.
 */
function locateInUnion(schema: Node, branches: readonly Node[], value: unknown, at: Segments): FieldPath {
  const key = kindKeyOf(branches);
  if (key !== undefined && isObject(value)) {
    const kinds = branches.map((branch) => kindOf(branch, key));
    const branch = branches[kinds.indexOf(value[key])];
    if (branch !== undefined) return locate(branch, value, at);
    return { at: [...at, key], expected: oneOf(kinds), came: nameOf(value[key], { enum: kinds }) };
  }
  const [only, ...others] = branches.filter((branch) => isOfType(value, branch['type']));
  if (only !== undefined && others.length === 0) return locate(only, value, at);
  return { at, expected: describe(schema), came: nameOf(value, schema) };
}

function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  return type === typeof value || (type === 'integer' && typeof value === 'number');
}

function branchesOf(schema: Node): readonly Node[] | undefined {
  return Array.isArray(schema['anyOf']) ? schema['anyOf'].map(asNode) : undefined;
}

function kindKeyOf(branches: readonly Node[]): string | undefined {
  return ['type', 'event'].find((key) => branches.every((branch) => kindOf(branch, key) !== undefined));
}

function kindOf(branch: Node, key: string): unknown {
  return asNode(follow(branch, ['properties', key]))['const'];
}

/** Number of value levels in a schema path: one for each `properties/x`, `items`, … */
function stepsIntoValue(schemaPath: Segments): number {
  let steps = 0;
  for (let at = 0; at < schemaPath.length; at++) {
    const segment = schemaPath[at];
    if (segment === 'properties' || segment === 'prefixItems') at++;
    steps++;
  }
  return steps;
}

/** Describes the expected value of a schema in words. */
export function describe(schema: Node): string {
  if (typeof schema['description'] === 'string') return schema['description'];
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return oneOf(schema['enum']);
  const branches = branchesOf(schema);
  if (branches !== undefined) return branches.map(describe).join(', or ');
  switch (schema['type']) {
    case 'string':
      return `a ${schema['minLength'] === 1 ? 'non-empty ' : ''}string${atMost(schema['maxLength'], 'characters')}`;
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      if (Array.isArray(schema['items'])) return `a list of exactly ${schema['items'].length}`;
      return `a list${schema['minItems'] === 1 ? ' with at least one item' : ''}${atMost(schema['maxItems'], 'items')}`;
    case 'object':
      return 'an object';
    default:
      return 'a value';
  }
}

const atMost = (limit: unknown, unit: string): string =>
  typeof limit === 'number' ? ` of at most ${limit} ${unit}` : '';

function range(schema: Node): string {
  const least = typeof schema['minimum'] === 'number' ? ` from ${schema['minimum']}` : '';
  const most = typeof schema['maximum'] === 'number' ? ` to ${schema['maximum']}` : '';
  return least + most;
}

const oneOf = (values: readonly unknown[]): string =>
  `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;

const MAX_QUOTED_CHARS = 40;

/** A text is quoted only where a fixed word was expected: elsewhere it may be a secret. */
export function nameOf(value: unknown, schema: Node): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  const wordExpected = 'const' in schema || 'enum' in schema;
  if (wordExpected && value.length <= MAX_QUOTED_CHARS) return JSON.stringify(value);
  return value === '' ? 'an empty string' : `a string of ${value.length} characters`;
}

/** A key of digits is an index only inside a list. */
function toPath(segments: Segments, value: unknown): string {
  return segments.reduce((path, segment, depth) => {
    if (Array.isArray(follow(value, segments.slice(0, depth)))) return `${path}[${segment}]`;
    return path === '' ? segment : `${path}.${segment}`;
  }, '');
}

function segmentsOf(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function follow(value: unknown, segments: Segments): unknown {
  let here = value;
  for (const segment of segments) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, segment)) return undefined;
    here = Reflect.get(here, segment);
  }
  return here;
}

const asNode = (value: unknown): Node => (isObject(value) ? value : {});
