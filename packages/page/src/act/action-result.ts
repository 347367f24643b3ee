import type { Effect } from '../effect/effect.ts';
import type { ExpectedOutcome } from '../effect/expected-outcome.ts';
import type { Verification } from '../effect/verification.ts';
import type { RefusalData } from './refusal.ts';
import type { Healed } from './target.ts';

export type ActionName =
  | 'check'
  | 'click'
  | 'double_click'
  | 'drag'
  | 'fill'
  | 'focus'
  | 'hover'
  | 'keys'
  | 'scroll'
  | 'select'
  | 'type'
  | 'uncheck'
  | 'upload';

/** `trusted`: the browser took it for a person's; `synthetic`: events made by page code, which a page can tell. */
export type Fidelity = 'trusted' | 'synthetic';

export interface ActOptions {
  readonly expected?: ExpectedOutcome;
  /** The origin the action was granted for: elsewhere it is refused. */
  readonly origin?: string;
  /** Leaves the focus, and how far everything is scrolled: somebody else works in the window. */
  readonly quiet?: boolean;
  /** A locator has found the element just now: what it was when somebody saw it does not matter. */
  readonly located?: boolean;
  /** For code in the same world: looks at the target and at the innermost elements that would be reached. */
  readonly weigh?: (element: Element, innermost: readonly Element[]) => unknown;
  /** Compares two weights that need not be equal to the letter; with it each look compares, whatever was heard. */
  readonly sameWeight?: (one: unknown, other: unknown) => boolean;
  /** Compares the weight with a later one, while the press is under way: whether the rest of it may follow. */
  readonly goesOn?: (weighed: unknown, now: unknown) => boolean;
}

export interface ActionDone extends Verification {
  readonly ok: true;
  readonly action: ActionName;
  /** The element that was acted on: another than was asked for when it was healed. */
  readonly id?: string;
  readonly fidelity: Fidelity;
  readonly healed?: Healed;
  /** What a field says after it was written in; never a secret's. */
  readonly reads?: string;
  readonly effect: Effect;
  readonly clientObservations: {
    readonly didNetworkOccur: boolean;
    readonly didDomMutate: boolean;
    readonly didUrlChange: boolean;
  };
}

export interface ActionRefused {
  readonly ok: false;
  readonly action: ActionName;
  readonly error: RefusalData;
}

export type ActionResult = ActionDone | ActionRefused;

/** What an action knows of itself when it has been done. */
export interface OwnWord {
  readonly fidelity?: Fidelity;
  readonly achieved?: boolean;
  readonly shortfall?: string;
  readonly reads?: string;
}
