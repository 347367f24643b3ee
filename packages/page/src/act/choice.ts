import { tidy } from '../perceive/text.ts';
import { isInput } from '../secrets/secret-field.ts';
import { Refusal } from './refusal.ts';
import { viewOf } from './text-field.ts';

/** Which option: by what it is sent as, by what a person reads, or by its place from 0. */
export type Choice = { readonly value: string } | { readonly label: string } | { readonly index: number };

/** Chooses in a native list; without a choice that exists nothing is changed. */
export function chooseOptions(select: HTMLSelectElement, choices: readonly Choice[]): string[] {
  if (choices.length > 1 && !select.multiple) {
    throw new Refusal('invalid_input', 'wrong_value', 'This list takes one choice only.', {
      offered: choices.length,
    });
  }
  const chosen = choices.map((choice) => findOption(select, choice));
  for (const option of select.options) option.selected = chosen.includes(option);
  for (const type of ['input', 'change']) {
    select.dispatchEvent(new (viewOf(select).Event)(type, { bubbles: true, composed: type === 'input' }));
  }
  return [...select.selectedOptions].map((option) => tidy(option.text));
}

function findOption(select: HTMLSelectElement, choice: Choice): HTMLOptionElement {
  const options = [...select.options];
  const found = options.filter((option, place) => isChosen(option, place, choice));
  const [option] = found;
  const labels = options.slice(0, 50).map((one) => tidy(one.text));
  if (option === undefined) {
    throw new Refusal('invalid_input', 'not_a_choice', `The list has no option ${JSON.stringify(choice)}.`, {
      options: labels,
    });
  }
  if (found.length > 1) {
    const message = `${found.length} options fit ${JSON.stringify(choice)}: choose by value or index.`;
    throw new Refusal('invalid_input', 'ambiguous', message, { options: labels });
  }
  if (option.disabled) {
    throw new Refusal('state_mismatch', 'disabled', `The option '${tidy(option.text)}' is disabled.`, {
      options: labels,
    });
  }
  return option;
}

function isChosen(option: HTMLOptionElement, place: number, choice: Choice): boolean {
  if ('index' in choice) return place === choice.index;
  return 'value' in choice ? option.value === choice.value : tidy(option.text) === tidy(choice.label);
}

/** Ticked or not, native or by role; undefined for what cannot be ticked. */
export function tickOf(element: Element): boolean | undefined {
  if (isInput(element) && /^(?:checkbox|radio)$/.test(element.type)) return element.checked;
  for (const attribute of ['aria-checked', 'aria-pressed', 'aria-selected']) {
    const value = element.getAttribute(attribute);
    if (value !== null) return value === 'true';
  }
  return undefined;
}
