import { SHAPES } from '@drawbridge/protocol/catalog';
import { areSame, hasProperties, plain, type SchemaNode } from './schema-node.ts';

/** A named type of the reference. */
export interface Shape {
  readonly name: string;
  readonly node: SchemaNode;
}

export type Family = Exclude<keyof typeof SHAPES, 'wire'>;

/** The named types of a family, shared ones first. */
export const shapesOf = (family: Family): readonly Shape[] =>
  [SHAPES.wire, SHAPES[family]].flatMap((shapes) =>
    Object.entries(shapes).map(([name, schema]) => ({ name, node: plain(schema) })),
  );

/** Only objects get their own table or component. */
export const isObjectShape = ({ node }: Shape): boolean => hasProperties(node);

export const findShape = (shapes: readonly Shape[], node: SchemaNode): Shape | undefined =>
  shapes.find((shape) => areSame(shape.node, node));
