import { isNode, type SchemaNode } from './schema-node.ts';
import { findShape, isObjectShape, type Shape } from './shapes.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** AsyncAPI reads draft 7, which TypeBox writes; OpenAPI 3.1 reads 2020-12. */
export type Dialect = 'draft-07' | '2020-12';

export interface Components {
  readonly dialect: Dialect;
  /** Types under `components/schemas`. */
  readonly shapes: readonly Shape[];
}

const REFERENCE = '#/components/schemas/';

export const reference = (name: string): JsonObject => ({ $ref: `${REFERENCE}${name}` });

/** Replaces named types by references. */
export function toJsonSchema(node: SchemaNode, components: Components): JsonObject {
  const shape = findShape(components.shapes, node);
  return shape === undefined ? contents(node, components) : reference(shape.name);
}

/** The named types themselves, in full. */
export function componentSchemas(components: Components): JsonObject {
  const shapes = components.shapes.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const twice = shapes.find(({ name }, index) => shapes[index + 1]?.name === name);
  if (twice !== undefined) throw new Error(`Two types are called ${twice.name}: rename one of them.`);
  return Object.fromEntries(shapes.map(({ name, node }) => [name, contents(node, components)]));
}

export const objectShapes = (shapes: readonly Shape[]): readonly Shape[] => shapes.filter(isObjectShape);

function contents(node: SchemaNode, components: Components): JsonObject {
  const translated = components.dialect === '2020-12' ? withPrefixItems(node) : node;
  return Object.fromEntries(
    Object.entries(translated).map(([key, value]) => [key, translate(value, components)]),
  );
}

function translate(value: unknown, components: Components): Json {
  if (Array.isArray(value)) return value.map((inner) => translate(inner, components));
  if (isNode(value)) return toJsonSchema(value, components);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

/** The schemas of a tuple are `items` in draft 7 and `prefixItems` in 2020-12. */
function withPrefixItems(node: SchemaNode): SchemaNode {
  if (!Array.isArray(node['items'])) return node;
  const { items, additionalItems, ...rest } = node;
  return additionalItems === undefined
    ? { ...rest, prefixItems: items }
    : { ...rest, prefixItems: items, items: additionalItems };
}
