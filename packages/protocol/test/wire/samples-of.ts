import type { Static, TSchema } from 'typebox';

/** One message of each kind that a set of schemas names. */
export type SamplesOf<Schemas extends Readonly<Record<string, TSchema>>> = {
  readonly [Kind in keyof Schemas]: Static<Schemas[Kind]>;
};
