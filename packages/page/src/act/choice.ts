import { tidy } from '../perceive/text.ts';
import { recall } from '../secrets/scrub.ts';
import { isTickBox } from '../secrets/secret-field.ts';
import { sendChange } from './page-events.ts';
import { refusal } from './refusal.ts';

/** An option by its submitted value, its visible label, or its index from 0. */
export type Choice = { readonly value: string } | { readonly label: string } | { readonly index: number };

/** Chooses in a native list; changes nothing when the choice does not exist. */
export function chooseOptions(select: HTMLSelectElement, choices: readonly Choice[]): string[] {
  if (choices.length > 1 && !select.multiple) {
    const evidence = { offered: choices.length };
    throw refusal('invalid_input', 'wrong_value', 'This list takes one choice only.', evidence);
  }
  const chosen = choices.map((choice) =>
    optionOf(
      [...select.options],
      choice,
      ({ text }) => tidy(text),
      ({ value }) => value,
    ),
  );
  for (const option of select.options) option.selected = chosen.includes(option);
  sendChange(select);
  return [...select.selectedOptions].map(({ text }) => tidy(text));
}

export function optionOf<Option extends Element>(
  options: readonly Option[],
  choice: Choice,
  labelOf: (option: Option) => string,
  sentAs: (option: Option) => string | null,
): Option {
  const found = options.filter((option, index) => {
    if ('index' in choice) return index === choice.index;
    return 'value' in choice
      ? recall(sentAs(option) ?? '') === choice.value
      : recall(labelOf(option)) === tidy(choice.label);
  });
  const [option] = found;
  const evidence = { options: options.slice(0, 50).map(labelOf) };
  if (option === undefined)
    throw refusal('invalid_input', 'not_a_choice', 'The list has no such option.', evidence);
  if (found.length > 1) {
    const message = `${found.length} options fit: choose by value or index.`;
    throw refusal('invalid_input', 'ambiguous', message, evidence);
  }
  if (option.matches(':disabled'))
    throw refusal('state_mismatch', 'disabled', 'This option is disabled.', evidence);
  return option;
}

/** Checked or not, native or by role; undefined for an element that cannot be checked. */
export function tickOf(element: Element): boolean | undefined {
  if (isTickBox(element)) return element.checked;
  const said = element.ariaChecked ?? element.ariaPressed ?? element.ariaSelected;
  return said === null ? undefined : said === 'true';
}
