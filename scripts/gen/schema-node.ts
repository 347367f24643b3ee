import type { TSchema } from 'typebox';

/** A JSON Schema as plain data. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** TypeBox hides its markers from JSON, so a round trip leaves plain JSON Schema. */
export const plain = (schema: TSchema): SchemaNode => asNode(JSON.parse(JSON.stringify(schema)));

export const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asNode = (value: unknown): SchemaNode => (isNode(value) ? value : {});

export const nodesOf = (value: unknown): readonly SchemaNode[] =>
  Array.isArray(value) ? value.map(asNode) : [];

export const propertiesOf = (node: SchemaNode): readonly (readonly [string, SchemaNode])[] =>
  Object.entries(asNode(node['properties'])).map(([name, inner]) => [name, asNode(inner)]);

export const requiredOf = (node: SchemaNode): ReadonlySet<unknown> =>
  new Set(Array.isArray(node['required']) ? node['required'] : []);

export const branchesOf = (node: SchemaNode): readonly SchemaNode[] => nodesOf(node['anyOf']);

export const hasProperties = (node: SchemaNode): boolean => isNode(node['properties']);

/** Whether unknown fields are refused. */
export const isClosed = (node: SchemaNode): boolean => node['additionalProperties'] === false;

/** Compares by value: TypeBox copies a schema to make it optional. */
export const areSame = (one: SchemaNode, other: SchemaNode): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A schema and every schema inside it. */
export function* walk(value: unknown): Generator<SchemaNode> {
  if (isNode(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) yield* walk(inner);
}
