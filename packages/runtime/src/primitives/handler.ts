import type { InputOf, OutputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import type { HandlerContext } from './handler-context.ts';

export type Handler<Name extends PrimitiveName> = (
  args: InputOf<Name>,
  context: HandlerContext,
) => Promise<OutputOf<Name>>;

/** The handlers of all primitives with this name prefix. */
export type HandlersOf<Family extends string> = {
  readonly [Name in Extract<PrimitiveName, `${Family}${string}`>]: Handler<Name>;
};
