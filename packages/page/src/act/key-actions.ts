import { focusIn } from '../effect/page-state.ts';
import { lineOf } from '../perceive/composed-tree.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform, performHere } from './action-run.ts';
import { parseChord, pressChord } from './keyboard.ts';
import { focusFrom } from './pointer.ts';
import type { Presses } from './prepared-press.ts';
import { requireUsable } from './readiness.ts';
import { refusal } from './refusal.ts';
import { describe, type Target } from './target.ts';

export interface KeysOptions extends ActOptions {
  /** Focuses this element first. */
  readonly id?: string;
  /** From `prepareKeys`: only the element focused then receives the first key. */
  readonly token?: string;
}

export function keys(
  chords: readonly string[],
  options: KeysOptions,
  context: ActionContext,
  presses: Presses,
): Promise<ActionResult> {
  const { id, token } = options;
  const press = () => pressAll(chords, context, token === undefined ? undefined : presses.claimFocus(token));
  if (id === undefined) {
    return performHere('keys', options, press, context);
  }
  const steps = {
    ready(target: Target) {
      requireUsable(target, context);
      chords.map(parseChord);
    },
    act(target: Target) {
      if (options.quiet) {
        for (const chord of chords) pressChord(target.element, parseChord(chord));
        return {};
      }
      if (token === undefined) giveFocus(target, context);
      return press();
    },
  };
  return perform('keys', id, options, steps, context);
}

/** Fails when the page moves the focus on, as the keys would press another control. */
export function giveFocus(target: Target, context: ActionContext): void {
  const { element } = target;
  requireUsable(target, context);
  focusFrom(element);
  const focused = focusIn(context.document, context.shadowRootOf);
  if (focused === undefined || lineOf(element).includes(focused)) return;
  const now = describe(focused, context);
  const message = `The page gave the focus to ${now} instead: no key was pressed.`;
  throw refusal('state_mismatch', 'covered', message, { cover: now });
}

/** `requireSame` applies to the first key, whose target was classified. */
async function pressAll(
  chords: readonly string[],
  context: ActionContext,
  requireSame?: () => void,
): Promise<OwnWord> {
  const { host, document, shadowRootOf } = context;
  const parsed = chords.map(parseChord);
  if (host.pressKeys !== undefined) {
    for (const chord of chords) await host.pressKeys(chord);
    return { fidelity: 'trusted' };
  }
  let isDone = true;
  for (const [at, chord] of parsed.entries()) {
    const target = focusIn(document, shadowRootOf) ?? document.body;
    isDone = pressChord(target, chord, at === 0 ? requireSame : undefined) && isDone;
  }
  return isDone ? {} : { achieved: false, shortfall: NEEDS_TRUST };
}

const NEEDS_TRUST =
  'the page got the key events, but only a browser with trusted input does the rest. Lend the tab with trusted input';
