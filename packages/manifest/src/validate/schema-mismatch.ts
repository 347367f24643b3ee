import { asNode, branchByKind, describe, follow, type Mismatch, nameOf } from '@drawbridge/protocol/manifest';
import { Errors } from 'typebox/schema';
import { segmentsOf, toWords } from '../source/path.ts';

type Node = Record<string, unknown>;
type Segments = readonly string[];

interface Place {
  readonly at: Segments;
  readonly expected: string;
  readonly came: string;
}

/**
 * The first mismatch of a value that failed its check. TypeBox finds it, because a map's schema may use any
 * keyword; the walk for wire frames knows only those of our own schemas.
 */
export function schemaMismatch(schema: Node, value: unknown): Mismatch {
  const { at, expected, came } = locate(schema, value, []);
  return {
    path: toWords(at.map((segment, depth) => keyIn(value, at.slice(0, depth), segment))),
    expected,
    came,
  };
}

/** TypeBox stops after eight errors, so this stays cheap. */
function locate(schema: Node, value: unknown, at: Segments): Place {
  if (Array.isArray(schema['anyOf'])) return locateInUnion(schema, schema['anyOf'].map(asNode), value, at);
  const [, [error]] = Errors(schema, value);
  if (error === undefined)
    return { at, expected: 'a value that fits its schema', came: nameOf(value, schema) };
  const schemaPath = segmentsOf(error.schemaPath);
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
  const here = [...at, ...valuePath];
  const wrong = follow(value, valuePath);
  if (error.keyword !== 'boolean') {
    const node = asNode(follow(schema, schemaPath));
    return { at: here, expected: describe(node), came: nameOf(wrong, node) };
  }
  const holder = follow(value, valuePath.slice(0, -1));
  if (!Array.isArray(holder))
    return { at: here, expected: 'absent, as there is no such field', came: nameOf(wrong, {}) };
  const list = asNode(follow(schema, schemaPath.slice(0, -1)));
  return { at: here.slice(0, -1), expected: describe(list), came: nameOf(holder, list) };
}

/** Selects a branch by the kind that its objects name, or by type, so that the error is about one branch. */
function locateInUnion(schema: Node, branches: readonly Node[], value: unknown, at: Segments): Place {
  const named = branchByKind(branches, value);
  if (named?.branch !== undefined) return locate(named.branch, value, at);
  if (named !== undefined) return { ...named, at: [...at, named.key] };
  const [only, ...others] = branches.filter(({ type }) => isOfType(value, type));
  if (only !== undefined && others.length === 0) return locate(only, value, at);
  return { at, expected: describe(schema), came: nameOf(value, schema) };
}

function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  return type === typeof value || (type === 'integer' && typeof value === 'number');
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

/** A key of digits is an index only inside a list. */
const keyIn = (value: unknown, holder: Segments, segment: string): string | number =>
  Array.isArray(follow(value, holder)) ? Number(segment) : segment;
