import type { Static, TSchema } from 'typebox';

/** One message of each kind in a set of schemas. */
export type SamplesOf<Schemas extends Readonly<Record<string, TSchema>>> = {
  readonly [Kind in keyof Schemas]: Static<Schemas[Kind]>;
};
