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
  | 'select_text'
  | 'type'
  | 'uncheck'
  | 'upload'
  | 'wheel';

/** `trusted`: indistinguishable from a person's; `synthetic`: events made by page code, which a page can detect. */
export type Fidelity = 'trusted' | 'synthetic';

export interface ActOptions {
  readonly expected?: ExpectedOutcome;
  /** The origin that the action was granted for; elsewhere it is refused. */
  readonly origin?: string;
  /** Leaves focus and scroll positions alone, because somebody else uses the window. */
  readonly quiet?: boolean;
  /** Only the place is wanted: nothing will be pressed. */
  readonly unobserved?: boolean;
  /** A locator has just found the element, so its earlier fingerprint is ignored. */
  readonly located?: boolean;
  /** For code in the same world: classifies the target and the innermost elements that would be reached. */
  readonly classify?: (element: Element, innermost: readonly Element[]) => unknown;
  /** Compares two classifications that may differ in detail; with it every look compares, whatever changed. */
  readonly isSameContext?: (one: unknown, other: unknown) => boolean;
  /** Compares with a later classification during the press: whether the rest of it may follow. */
  readonly mayContinue?: (classified: unknown, now: unknown) => boolean;
}

/** In pixels; the greatest positions are those of its ends. */
export interface ScrollPosition {
  readonly x: number;
  readonly y: number;
  readonly max_x: number;
  readonly max_y: number;
}

export interface ActionDone extends Verification {
  readonly ok: true;
  readonly action: ActionName;
  /** The element that was acted on; differs from the requested one after healing. */
  readonly id?: string;
  readonly fidelity: Fidelity;
  readonly healed?: Healed;
  /** The field's value after writing; never a secret's. */
  readonly reads?: string;
  /** Where the scrolled box or page stands after the act. */
  readonly position?: ScrollPosition;
  /** The element does not have the wanted state. */
  readonly achieved?: false;
  readonly effect: Effect;
  /** Changes after the last report and before this act. */
  readonly late?: Effect;
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

/** The action's own report once it is done. */
export interface OwnWord {
  readonly fidelity?: Fidelity;
  readonly achieved?: boolean;
  readonly shortfall?: string;
  readonly reads?: string;
  /** The box that was scrolled. */
  readonly box?: Element;
}
