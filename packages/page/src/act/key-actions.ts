import { focusIn } from '../effect/page-state.ts';
import { lineOf } from '../perceive/composed-tree.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform, performHere } from './action-run.ts';
import { parseChord, pressChord } from './keyboard.ts';
import { focusFrom } from './pointer.ts';
import type { Presses } from './prepared-press.ts';
import { requireUsable } from './readiness.ts';
import { refusal } from './refusal.ts';
import { describe, type Target } from './target.ts';
import type { Workplace } from './workplace.ts';

export interface KeysOptions extends ActOptions {
  /** Focuses this element first. */
  readonly id?: string;
  /** From `prepareKeys`: only the element focused then receives the first key. */
  readonly token?: string;
}

export function keys(
  chords: readonly string[],
  options: KeysOptions,
  workplace: Workplace,
  presses: Presses,
): Promise<ActionResult> {
  const { id, token } = options;
  const press = () =>
    pressAll(chords, workplace, token === undefined ? undefined : presses.claimFocus(token));
  if (id === undefined) {
    return performHere('keys', options, press, workplace);
  }
  const steps = {
    ready(target: Target) {
      requireUsable(target, workplace);
      chords.map(parseChord);
    },
    act(target: Target) {
      if (options.quiet) {
        for (const chord of chords) pressChord(target.element, parseChord(chord));
        return {};
      }
      if (token === undefined) giveFocus(target, workplace);
      return press();
    },
  };
  return perform('keys', id, options, steps, workplace);
}

/** Fails when the page moves the focus on, as the keys would press another control. */
export function giveFocus(target: Target, workplace: Workplace): void {
  const { element } = target;
  requireUsable(target, workplace);
  focusFrom(element);
  const focused = focusIn(workplace.document, workplace.shadowRootOf);
  if (focused === undefined || lineOf(element).includes(focused)) return;
  const now = describe(focused, workplace);
  const message = `The page gave the focus to ${now} instead: no key was pressed.`;
  throw refusal('state_mismatch', 'covered', message, { cover: now });
}

/** `requireSame` applies to the first key, whose target was classified. */
async function pressAll(
  chords: readonly string[],
  workplace: Workplace,
  requireSame?: () => void,
): Promise<OwnWord> {
  const { host, document, shadowRootOf } = workplace;
  const parsed = chords.map(parseChord);
  if (host.pressKeys !== undefined) {
    for (const chord of chords) await host.pressKeys(chord);
    return { fidelity: 'trusted' };
  }
  for (const [at, chord] of parsed.entries())
    pressChord(focusIn(document, shadowRootOf) ?? document.body, chord, at === 0 ? requireSame : undefined);
  return {};
}
