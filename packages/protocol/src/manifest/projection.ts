import { type Static, Type } from 'typebox';
import { AnyObject, Label, SafeId } from '../wire/fields.ts';

const Expression = Type.String({ minLength: 1 });

/** `extract` nests to any depth; the map engine checks its contents. */
const Snapshot = Type.Object({
  version: Type.Literal(1),
  source: Type.Literal('dom'),
  extract: Type.Array(AnyObject),
  projection: Type.Object({ language: Type.Literal('jsonata'), expression: Expression }),
  output_schema: Type.Optional(AnyObject),
});

const Summary = Type.Object({
  name: SafeId,
  expression: Expression,
  max_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
});

export const StateProjection = Type.Object({
  name: SafeId,
  description: Type.Optional(Label),
  snapshot: Snapshot,
  summaries: Type.Optional(Type.Array(Summary)),
  postconditions: Type.Optional(AnyObject),
});

export type StateProjection = Static<typeof StateProjection>;
