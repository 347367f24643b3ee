import { focusIn } from '../effect/page-state.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform, performHere } from './action-run.ts';
import { parseChord, pressChord } from './keyboard.ts';
import { focusFrom } from './pointer.ts';
import { requireUsable } from './readiness.ts';
import type { Target } from './target.ts';
import type { Workplace } from './workplace.ts';

export interface KeysOptions extends ActOptions {
  /** Give this element the focus first. */
  readonly id?: string;
}

export function keys(
  chords: readonly string[],
  options: KeysOptions,
  workplace: Workplace,
): Promise<ActionResult> {
  const { id } = options;
  if (id === undefined) return performHere('keys', options, () => pressAll(chords, workplace), workplace);
  const steps = {
    ready(target: Target) {
      requireUsable(target, workplace);
      chords.map(parseChord);
    },
    act({ element }: Target) {
      if (options.quiet) {
        for (const chord of chords) pressChord(element, parseChord(chord));
        return {};
      }
      focusFrom(element);
      return pressAll(chords, workplace);
    },
  };
  return perform('keys', id, options, steps, workplace);
}

async function pressAll(chords: readonly string[], workplace: Workplace): Promise<OwnWord> {
  const { host, document, shadowRootOf } = workplace;
  const parsed = chords.map(parseChord);
  if (host.pressKeys !== undefined) {
    for (const chord of chords) await host.pressKeys(chord);
    return { fidelity: 'trusted' };
  }
  for (const chord of parsed) pressChord(focusIn(document, shadowRootOf) ?? document.body, chord);
  return {};
}
