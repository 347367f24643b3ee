import type { AgentPrompt } from '../adapter.ts';
import type { PanelPrompt } from './panel-view.ts';

/** Buttons with the same word are told apart by their whole text. */
export function choicesOf({ choices }: PanelPrompt) {
  const words = new Set<string>();
  return choices.map(({ choice, label, says }) => {
    const choice_id = words.has(choice) ? says : choice;
    words.add(choice_id);
    return { choice_id, label, says, effect: DENIALS.has(choice) ? ('deny' as const) : ('allow' as const) };
  });
}

const DENIALS: ReadonlySet<string> = new Set(['no', 'never']);

interface Means {
  readonly now: () => number;
  readonly newId: () => string;
}

/** CHT-231, CHT-232: one appearance of a dialog. The default always denies. */
export function promptOf(shown: PanelPrompt, { newId, now }: Means): AgentPrompt {
  const choices = choicesOf(shown);
  const denial = choices.find(({ effect }) => effect === 'deny');
  return {
    prompt_id: `panel.${shown.instance}.${newId()}`,
    prompt_text: shown.text,
    choices: choices.map(({ choice_id, label, effect }) => ({
      choice_id,
      label,
      is_default: choice_id === denial?.choice_id,
      effect,
    })),
    detected_at: new Date(now()).toISOString(),
    ...(denial && { default_choice: denial.choice_id }),
  };
}
