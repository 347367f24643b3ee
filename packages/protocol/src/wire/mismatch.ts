import type { TSchema } from 'typebox';
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

/** Only for a value that failed its check. */
export function findMismatch(schema: TSchema, value: unknown): Mismatch {
  const node = asNode(schema);
  const wrong = firstWrong(node, value, [], node) ?? {
    ...{ at: [], expected: 'a value that fits its schema' },
    came: nameOf(value, node),
  };
  return { path: toPath(wrong.at, value), expected: wrong.expected, came: wrong.came };
}

interface FieldPath {
  readonly at: Segments;
  readonly expected: string;
  readonly came: string;
}

/** Knows the keywords that our schemas use; undefined for a value that fits. */
function firstWrong(given: Node, value: unknown, at: Segments, root: Node): FieldPath | undefined {
  const schema = resolved(given, root);
  for (const part of listIn(schema, 'allOf')) {
    const wrong = firstWrong(part, value, at, root);
    if (wrong !== undefined) return wrong;
  }
  const branches = branchesOf(schema);
  if (branches !== undefined) return wrongInUnion(schema, branches, value, at, root);
  if (!fitsAlone(schema, value)) return { at, expected: describe(schema), came: nameOf(value, schema) };
  if (Array.isArray(value)) return wrongItem(schema, value, at, root);
  return isObject(value) ? wrongField(schema, value, at, root) : undefined;
}

function wrongItem(schema: Node, list: readonly unknown[], at: Segments, root: Node): FieldPath | undefined {
  const { items } = schema;
  if (items === undefined) return undefined;
  for (const [index, item] of list.entries()) {
    const node = asNode(Array.isArray(items) ? items[index] : items);
    const wrong = firstWrong(node, item, [...at, String(index)], root);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongField(schema: Node, value: Node, at: Segments, root: Node): FieldPath | undefined {
  const properties = asNode(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) {
    const expected = describe(resolved(asNode(properties[missing]), root));
    return { at: [...at, missing], expected, came: 'nothing' };
  }
  const { additionalProperties: others } = schema;
  for (const [name, field] of Object.entries(value)) {
    const isKnown = Object.hasOwn(properties, name);
    if (!isKnown && others === false)
      return { at: [...at, name], expected: 'absent, as there is no such field', came: nameOf(field, {}) };
    const node = asNode(isKnown ? properties[name] : others);
    // The checks take an optional field without a value for an absent one.
    if (isKnown && field === undefined && !required.includes(name)) continue;
    const wrong = firstWrong(node, field, [...at, name], root);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Whether the value itself fits, whatever it contains. */
function fitsAlone(schema: Node, value: unknown): boolean {
  const { type, enum: words } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? undefined : [type];
  if (types !== undefined && !types.some((each) => isOfType(value, each))) return false;
  if ('const' in schema && schema['const'] !== value) return false;
  if (Array.isArray(words) && !words.includes(value)) return false;
  if (typeof value === 'string') {
    const { pattern } = schema;
    const isMatch = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
    return isMatch && isWithin([...value].length, schema['minLength'], schema['maxLength']);
  }
  if (typeof value === 'number') return isWithin(value, schema['minimum'], schema['maximum']);
  if (!Array.isArray(value)) return true;
  const { items } = schema;
  if (Array.isArray(items) && value.length !== items.length) return false;
  return isWithin(value.length, schema['minItems'], schema['maxItems']);
}

const isWithin = (size: number, least: unknown, most: unknown): boolean =>
  !(typeof least === 'number' && size < least) && !(typeof most === 'number' && size > most);

/**
 * Selects a branch of a union by the kind that its objects name, or by type, so that the error is about one
 * branch.
 */
function wrongInUnion(
  schema: Node,
  given: readonly Node[],
  value: unknown,
  at: Segments,
  root: Node,
): FieldPath | undefined {
  const branches = given.map((branch) => resolved(branch, root));
  const named = branchByKind(branches, value);
  if (named?.branch !== undefined) return firstWrong(named.branch, value, at, root);
  if (named !== undefined) return { ...named, at: [...at, named.key] };
  const wrongs = branches.map((branch) => firstWrong(branch, value, at, root));
  if (wrongs.includes(undefined)) return undefined;
  const [only, ...others] = branches.flatMap(({ type }, index) => (isOfType(value, type) ? index : []));
  const wrong = only !== undefined && others.length === 0 ? wrongs[only] : undefined;
  const expected = () => (typeof schema['description'] === 'string' ? describe(schema) : anyOf(branches));
  return wrong ?? { at, expected: expected(), came: nameOf(value, schema) };
}

const MAX_HOPS = 16;

/** Follows a reference within the schema: `#/$defs/line`. A reference that leads elsewhere, or in a circle, is left out. */
function resolved(schema: Node, root: Node): Node {
  let node = schema;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const { $ref } = node;
    if (typeof $ref !== 'string') return node;
    if ($ref !== '#' && !$ref.startsWith('#/')) return {};
    const names = $ref.split('/').slice(1);
    node = asNode(
      follow(
        root,
        names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')),
      ),
    );
  }
  return {};
}

const listIn = (schema: Node, keyword: string): readonly Node[] => {
  const list = schema[keyword];
  return Array.isArray(list) ? list.map(asNode) : [];
};

function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : type === typeof value;
}

function branchesOf(schema: Node): readonly Node[] | undefined {
  const keyword = ['anyOf', 'oneOf'].find((name) => Array.isArray(schema[name]));
  return keyword === undefined ? undefined : listIn(schema, keyword);
}

/** The branch of a union that a value names by its kind, or where and what to name; undefined without kinds. */
export function branchByKind(
  branches: readonly Node[],
  value: unknown,
):
  | { readonly branch: Node }
  | { readonly branch?: undefined; readonly key: string; readonly expected: string; readonly came: string }
  | undefined {
  const kindOf = (branch: Node, key: string): unknown => asNode(follow(branch, ['properties', key]))['const'];
  const key = ['type', 'event'].find((name) =>
    branches.every((branch) => kindOf(branch, name) !== undefined),
  );
  if (key === undefined || !isObject(value)) return undefined;
  const kinds = branches.map((branch) => kindOf(branch, key));
  const named = value[key];
  const branch = branches[kinds.indexOf(named)];
  if (branch !== undefined) return { branch };
  return { key, expected: oneOf(kinds), came: nameOf(named, { enum: kinds }) };
}

/** Describes the expected value of a schema in words. */
export function describe(schema: Node): string {
  if (typeof schema['description'] === 'string') return schema['description'];
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return oneOf(schema['enum']);
  const branches = branchesOf(schema);
  if (branches !== undefined) return anyOf(branches);
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

const anyOf = (branches: readonly Node[]): string => branches.map(describe).join(', or ');

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

export function follow(value: unknown, segments: Segments): unknown {
  let here = value;
  for (const segment of segments) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, segment)) return undefined;
    here = Reflect.get(here, segment);
  }
  return here;
}

export const asNode = (value: unknown): Node => (isObject(value) ? value : {});
