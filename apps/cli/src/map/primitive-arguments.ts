import type { ValidateOptions } from '@drawbridge/manifest';
import { primitiveByName } from '@drawbridge/protocol/primitives';

/** Arguments of our own primitives; those of another runtime are not known. */
export const argumentsOf: NonNullable<ValidateOptions['argumentsOf']> = (name) => {
  const input = primitiveByName(name)?.input_schema;
  return input && { properties: input.properties, required: input.required ?? [] };
};
