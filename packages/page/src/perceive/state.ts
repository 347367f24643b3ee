import { isField, isFilled, isInput, isSecretField, visibleValueOf } from '../secrets/secret-field.ts';
import { cutText, tidy } from './text.ts';

/** A value is there to be recognised; the whole of a long text is read with `read`. */
const VALUE_LIMIT = 80;

type StateTest = (element: Element) => boolean;

const aria =
  (attribute: string, ...values: string[]): StateTest =>
  (element) =>
    values.includes(element.getAttribute(attribute) ?? '');

/** The states of V3, in the order in which they are written. */
const STATES: readonly (readonly [string, StateTest])[] = [
  ['disabled', (element) => element.matches(':disabled') || aria('aria-disabled', 'true')(element)],
  ['checked', (element) => isChecked(element)],
  [
    'mixed',
    (element) => (isInput(element) && element.indeterminate) || aria('aria-checked', 'mixed')(element),
  ],
  ['pressed', aria('aria-pressed', 'true', 'mixed')],
  ['selected', aria('aria-selected', 'true')],
  ['expanded', (element) => aria('aria-expanded', 'true')(element) || isOpenSummary(element)],
  ['invalid', aria('aria-invalid', 'true', 'grammar', 'spelling')],
  ['readonly', (element) => element.matches('input[readonly], textarea[readonly]')],
  ['filled', (element) => isSecretField(element) && isFilled(element)],
];

/** `disabled,checked`: always in the same order; undefined when there is nothing to say. */
export function stateOf(element: Element): string | undefined {
  const states = STATES.filter(([, test]) => test(element)).map(([state]) => state);
  return states.length > 0 ? states.join(',') : undefined;
}

/** What a field holds, as far as it may be told. */
export function shownValueOf(element: Element): string | undefined {
  const value =
    isInput(element) && element.type === 'file'
      ? fileNames(element)
      : (visibleValueOf(element) ?? ariaValue(element));
  const text = tidy(value ?? '');
  if (text === '') return undefined;
  return text.length > VALUE_LIMIT ? `${cutText(text, VALUE_LIMIT - 1)}…` : text;
}

/** A slider made of a div says its value in attributes; a native field never does. */
function ariaValue(element: Element): string | undefined {
  if (isField(element)) return undefined;
  return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? undefined;
}

function fileNames(input: HTMLInputElement): string {
  return [...(input.files ?? [])].map((file) => file.name).join(', ');
}

function isChecked(element: Element): boolean {
  if (isInput(element) && /^(?:checkbox|radio)$/.test(element.type))
    return element.checked && !element.indeterminate;
  return aria('aria-checked', 'true')(element);
}

function isOpenSummary(element: Element): boolean {
  return element.localName === 'summary' && element.parentElement?.hasAttribute('open') === true;
}
