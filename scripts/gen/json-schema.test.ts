import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { componentSchemas, type Dialect, toJsonSchema } from './json-schema.ts';
import { plain } from './schema-node.ts';

const Point = Type.Object({ xy: Type.Tuple([Type.Number(), Type.Number()]) });
const Line = Type.Object({ from: Point, to: Type.Optional(Point) });
const shapes = [{ name: 'Point', node: plain(Point) }];

test('a named type becomes a reference, even where it is optional', () => {
  expect(toJsonSchema(plain(Line), { dialect: 'draft-07', shapes })).toEqual({
    type: 'object',
    required: ['from'],
    properties: { from: { $ref: '#/components/schemas/Point' }, to: { $ref: '#/components/schemas/Point' } },
  });
});

test('a named type is written in full under its own name', () => {
  const { Point: point } = componentSchemas({ dialect: 'draft-07', shapes });
  expect(point).toEqual(plain(Point));
});

test('refuses two types of one name', () => {
  const components = { dialect: 'draft-07', shapes: [...shapes, ...shapes] } as const;
  expect(() => componentSchemas(components)).toThrow('Two types are called Point');
});

test('draft 7 uses items for a tuple, 2020-12 uses prefixItems', () => {
  const numbers = [{ type: 'number' }, { type: 'number' }];
  const schemaIn = (dialect: Dialect) => toJsonSchema(plain(Point.properties.xy), { dialect, shapes: [] });
  expect(schemaIn('draft-07')).toEqual({
    type: 'array',
    items: numbers,
    additionalItems: false,
    minItems: 2,
  });
  expect(schemaIn('2020-12')).toEqual({ type: 'array', prefixItems: numbers, items: false, minItems: 2 });
});

test('no marker of TypeBox remains', () => {
  expect(Reflect.ownKeys(plain(Type.Optional(Type.String())))).toEqual(['type']);
});
