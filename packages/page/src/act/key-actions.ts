import { focusIn } from '../effect/page-state.ts';
import type { ActionResult, ActOptions } from './action-result.ts';
import { conclude, perform, refusable, startObservation } from './action-run.ts';
import { parseChord, pressChord } from './keyboard.ts';
import { focusFrom } from './pointer.ts';
import { requireEnabled, requireVisible } from './readiness.ts';
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
  if (id === undefined) {
    return refusable('keys', async () => {
      const parsed = chords.map(parseChord);
      const observation = startObservation(options, workplace);
      const own = await pressAll(chords, parsed, workplace);
      return conclude({ action: 'keys', own, options, observation, workplace });
    });
  }
  return perform(
    'keys',
    id,
    options,
    {
      ready(target) {
        requireVisible(target, workplace);
        requireEnabled(target, workplace);
        return chords.map(parseChord);
      },
      act({ element }, parsed) {
        focusFrom(element);
        return pressAll(chords, parsed, workplace);
      },
    },
    workplace,
  );
}

async function pressAll(
  chords: readonly string[],
  parsed: readonly ReturnType<typeof parseChord>[],
  workplace: Workplace,
) {
  const { host, document, shadowRootOf } = workplace;
  if (host.pressKeys !== undefined) {
    for (const chord of chords) await host.pressKeys(chord);
    return { fidelity: 'trusted' as const };
  }
  for (const chord of parsed) pressChord(focusIn(document, shadowRootOf) ?? document.body, chord);
  return {};
}
