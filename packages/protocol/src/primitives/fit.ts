import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { findMismatch, type Mismatch } from '../wire/mismatch.ts';

/** Undefined when the value fits; else where it first does not. */
export const misfitOf = (schema: TSchema, value: unknown): Mismatch | undefined =>
  Check(schema, value) ? undefined : findMismatch(schema, value);
