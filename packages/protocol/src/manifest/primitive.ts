import { type Static, Type } from 'typebox';
import { AnyObject, Id, Label, SafeId } from '../wire/fields.ts';

export const CapabilityClass = Type.Enum(['portable', 'privileged', 'debug', 'mixed', 'bridge']);

export const Primitive = Type.Object({
  name: SafeId,
  version: Type.Integer({ minimum: 1 }),
  stage: Id,
  summary: Label,
  capability_class: CapabilityClass,
  portable: Type.Boolean(),
  capabilities: Type.Array(Id),
  input_schema: AnyObject,
  output_schema: AnyObject,
  adapters: AnyObject,
  errors: Type.Array(Id),
  conformance: AnyObject,
});

export const PrimitiveDictionary = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  stage: Id,
  primitives: Type.Array(Primitive),
});

export type Primitive = Static<typeof Primitive>;
export type PrimitiveDictionary = Static<typeof PrimitiveDictionary>;
