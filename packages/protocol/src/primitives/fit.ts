import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { findMismatch, type Mismatch } from '../wire/mismatch.ts';

/** The first mismatch of a value with a schema; undefined when it matches. */
export const misfitOf = (schema: TSchema, value: unknown): Mismatch | undefined =>
  Check(schema, value) ? undefined : findMismatch(schema, value);
