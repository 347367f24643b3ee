import { isField, isFilled, isInput, isSecretField, visibleValueOf } from '../secrets/secret-field.ts';
import { cutText, tidy } from './text.ts';

/** Enough to recognize a value; `read` returns long text. */
const VALUE_LIMIT = 80;

/** The states of V3, in output order, with their tests. */
const STATES = [
  ['disabled', ':disabled, [aria-disabled=true]'],
  ['checked', 'input:checked:not(:indeterminate), :not([type=checkbox], [type=radio])[aria-checked=true]'],
  ['mixed', '[type=checkbox]:indeterminate, [aria-checked=mixed]'],
  ['pressed', '[aria-pressed=true], [aria-pressed=mixed]'],
  ['selected', '[aria-selected=true]'],
  ['expanded', '[aria-expanded=true], [open] > summary'],
  ['invalid', '[aria-invalid=true], [aria-invalid=grammar], [aria-invalid=spelling]'],
  ['readonly', 'input[readonly], textarea[readonly]'],
] as const;

/** `disabled,checked`: in a fixed order; undefined when there are none. */
export function stateOf(element: Element): string | undefined {
  const states: string[] = STATES.flatMap(([state, selector]) => (element.matches(selector) ? state : []));
  if (isSecretField(element) && isFilled(element)) states.push('filled');
  return states.length > 0 ? states.join(',') : undefined;
}

/** The field's value, unless it is secret. */
export function shownValueOf(element: Element): string | undefined {
  const value =
    isInput(element) && element.type === 'file'
      ? fileNames(element)
      : (visibleValueOf(element) ?? ariaValue(element));
  const text = tidy(value ?? '');
  if (text === '') return undefined;
  return text.length > VALUE_LIMIT ? `${cutText(text, VALUE_LIMIT - 1)}…` : text;
}

/** A custom slider has its value in attributes; a native field does not. */
function ariaValue(element: Element): string | undefined {
  if (isField(element)) return undefined;
  return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? undefined;
}

function fileNames(input: HTMLInputElement): string {
  return [...(input.files ?? [])].map((file) => file.name).join(', ');
}
