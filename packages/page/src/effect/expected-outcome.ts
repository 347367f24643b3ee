import type { OutcomeKind } from '@drawbridge/protocol/semantic';
import { queryDeep } from '../locate/deep-query.ts';
import { fullNameOf, NAME_LIMIT } from '../perceive/accessible-name.ts';
import type { ShadowRootOf } from '../perceive/composed-tree.ts';
import { claimedRole, roleOf, shortRole } from '../perceive/role.ts';
import { cutText, tidy } from '../perceive/text.ts';
import { isVisible } from '../perceive/visibility.ts';
import type { Effect } from './effect.ts';

/** The element of an outcome; by default the one acted on. */
export interface OutcomeElement {
  readonly id?: string;
  readonly selector?: string;
  readonly role?: string;
  readonly name?: string;
  readonly text?: string;
}

export interface ExpectedOutcome {
  readonly type: OutcomeKind;
  readonly element?: OutcomeElement;
  /** The new value for `value_changes` and `state_changes`; for `navigation`, a part of the address. */
  readonly to?: string;
  readonly timeoutMs?: number;
  readonly orOutcome?: ExpectedOutcome;
}

export interface OutcomeContext {
  readonly document: Document;
  readonly shadowRootOf: ShadowRootOf;
  readonly elementOf: (id: string) => Element | undefined;
  readonly actedId: string | undefined;
  /** Masks texts before they are compared, so that guesses at a secret fail. */
  readonly cleaner: () => (text: string) => string;
  /** Elements that matched before the action and so do not count as appearing. */
  readonly wasThere: ReadonlySet<Element>;
}

/** Whether the outcome, or its `orOutcome`, has come true. `no_change` is true until the end and judged there. */
export function isMet(expected: ExpectedOutcome, effect: Effect, context: OutcomeContext): boolean {
  return (
    JUDGES[expected.type](effect, expected, context) ||
    (expected.orOutcome !== undefined && isMet(expected.orOutcome, effect, context))
  );
}

type Judge = (effect: Effect, expected: ExpectedOutcome, context: OutcomeContext) => boolean;

const JUDGES: Readonly<Record<OutcomeKind, Judge>> = {
  navigation: ({ navigation, url }, { to }) =>
    navigation !== undefined && (to === undefined || url?.to.includes(to) === true),
  element_appears: (_, { element = {} }, context) =>
    elementsLike(element, context).some((found) => !context.wasThere.has(found) && isVisible(found)),
  element_disappears: (_, { element = {} }, context) => !elementsLike(element, context).some(isVisible),
  value_changes: (effect, { element, to }, context) => hasChanged('v', effect, element, to, context),
  state_changes: (effect, { element, to }, context) => hasChanged('s', effect, element, to, context),
  download_starts: ({ download }) => download !== undefined,
  any_change: ({ happened }) => happened,
  no_change: ({ happened }) => !happened,
};

function hasChanged(
  field: 'v' | 's',
  effect: Effect,
  element: OutcomeElement | undefined,
  to: string | undefined,
  context: OutcomeContext,
): boolean {
  const id = element?.id ?? (element === undefined ? context.actedId : undefined);
  return effect.changed.some((edit) => {
    if (edit[field] === undefined || (to !== undefined && edit[field] !== to)) return false;
    if (id !== undefined) return edit.i === id;
    const found = context.elementOf(edit.i);
    return found !== undefined && fits(found, element ?? {}, context.cleaner());
  });
}

/** All elements that match the description now. */
export function elementsLike(
  described: OutcomeElement,
  context: Omit<OutcomeContext, 'wasThere'>,
): Element[] {
  const { document, shadowRootOf, elementOf } = context;
  const id = described.id ?? (Object.keys(described).length === 0 ? context.actedId : undefined);
  if (id !== undefined) {
    const element = elementOf(id);
    return element?.isConnected ? [element] : [];
  }
  const clean = context.cleaner();
  return queryDeep(document, described.selector ?? '*', { shadowRootOf }).filter((element) =>
    fits(element, described, clean),
  );
}

type Clean = (text: string) => string;

function fits(element: Element, { role, name, text }: OutcomeElement, clean: Clean): boolean {
  if (role !== undefined && !hasRole(element, role)) return false;
  if (text !== undefined && !(isInnermostWith(element, text, clean) || claimedRole(element) === 'alert'))
    return false;
  return name === undefined || cutText(clean(fullNameOf(element)), NAME_LIMIT) === name;
}

function hasRole(element: Element, role: string): boolean {
  const own = roleOf(element);
  return own === role || shortRole(own) === role;
}

function isInnermostWith(element: Element, text: string, clean: Clean): boolean {
  const has = (node: Element) => clean(tidy(node.textContent ?? '')).includes(text);
  return has(element) && ![...element.children].some(has);
}
