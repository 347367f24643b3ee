import { Type } from 'typebox';

export const item = <Name extends string, Fields extends Record<string, Type.TSchema>>(
  name: Name,
  fields: Fields,
) => Type.Object({ type: Type.Literal(name), ...fields });
