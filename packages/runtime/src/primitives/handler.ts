import type { InputOf, OutputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import type { Hands } from './hands.ts';

export type Handler<Name extends PrimitiveName> = (
  args: InputOf<Name>,
  hands: Hands,
) => Promise<OutputOf<Name>>;

/** The handlers of every primitive whose name begins so. */
export type HandlersOf<Family extends string> = {
  readonly [Name in Extract<PrimitiveName, `${Family}${string}`>]: Handler<Name>;
};
