import type { Transition } from '@drawbridge/protocol/manifest';
import { entriesOf, inWords, preconditionsOf } from './precondition.ts';

/** Notes of a transition for the agent. They neither permit nor forbid a call. */
export interface TransitionWarning {
  readonly transition: string;
  readonly preconditions: readonly string[];
  readonly reveals: readonly string[];
  readonly do_not_use: readonly string[];
}

/** The notes to show with a tool; transitions without notes are omitted. */
export function warningsFor(
  tool: string,
  transitions: readonly Transition[],
  isState: (name: string) => boolean,
): TransitionWarning[] {
  return transitions
    .filter((transition) => transition.tool === tool)
    .map((transition) => ({
      transition: transition.name,
      preconditions: preconditionsOf(transition, isState).prose,
      reveals: entriesOf(transition.reveals).map(inWords),
      do_not_use: entriesOf(transition.do_not_use).map(inWords),
    }))
    .filter(
      ({ preconditions, reveals, do_not_use }) =>
        preconditions.length + reveals.length + do_not_use.length > 0,
    );
}
