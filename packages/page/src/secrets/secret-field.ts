import { asksForCode, isSecretByValue, namesASecret } from '@drawbridge/protocol/secrets';
import { elementsNamed } from '../perceive/composed-tree.ts';
import { huntLabel } from '../perceive/label-hunt.ts';
import { inWalk } from '../perceive/walk-cache.ts';
import { isEditable, isField, isInput, isSelect, isTextArea } from './field-kind.ts';

export { isEditable, isField, isInput, isSelect, isTextArea, isTickBox } from './field-kind.ts';

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill-field */
const SECRET_AUTOCOMPLETE = /(?:^|\s)(?:one-time-code|current-password|new-password|cc-[a-z-]+)(?:\s|$)/i;

/** Inputs without text: nothing to hide, whatever their name. */
const VALUELESS_INPUTS = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio']);

/** Inputs whose value is not typed text. */
const TEXTLESS_INPUTS = new Set(['file', 'range', 'color']);

/** A form with more text is about more than a code. */
const MOST_AROUND = 500;

const NAMING_ATTRIBUTES = ['name', 'id', 'placeholder', 'aria-label', 'title', 'autocomplete', 'data-testid'];

/** A field stays secret: a "show password" button changes the type, and the page can rename it. */
const knownSecrets = new WeakSet<Element>();
const references = new Set<WeakRef<Element>>();

/**
 * Whether a field's value must never leave the page: passwords, one-time codes, cards, and numbers that act
 * as a key. A heuristic where the page does not declare it; prefers to hide too much.
 */
export function isSecretField(element: Element): boolean {
  if (knownSecrets.has(element)) return true;
  const secret = isField(element) && inWalk(element, looksSecret);
  if (secret) {
    knownSecrets.add(element);
    references.add(new WeakRef(element));
  }
  return secret;
}

export function isKnownSecret(element: Element): boolean {
  return knownSecrets.has(element);
}

/** Every secret field seen that is still in memory; a detached one keeps its value. */
export function secretsMet(): Element[] {
  return [...references].flatMap((reference) => {
    const element = reference.deref();
    if (element === undefined) references.delete(reference);
    return element ?? [];
  });
}

/** The readable value of a field; `undefined` for secrets and for elements without a value. */
export function visibleValueOf(element: Element): string | undefined {
  const value = rawValueOf(element);
  if (value === undefined || isSecretField(element) || isSecretByValue(value)) return undefined;
  return value;
}

/** All that may be reported of a secret. */
export function isFilled(element: Element): boolean {
  return (rawValueOf(element) ?? '') !== '';
}

/** The raw value, for comparison inside the page. Never put it into anything that leaves. */
export function rawValueOf(element: Element): string | undefined {
  if (isInput(element)) return VALUELESS_INPUTS.has(element.type) ? undefined : element.value;
  if (isTextArea(element)) return element.value;
  if (isSelect(element)) return selectedText(element);
  if (isEditable(element)) return element.textContent ?? '';
  return undefined;
}

function looksSecret(element: Element): boolean {
  if (isInput(element)) {
    if (element.type === 'password') return true;
    if (VALUELESS_INPUTS.has(element.type) || TEXTLESS_INPUTS.has(element.type)) return false;
  }
  if (SECRET_AUTOCOMPLETE.test(element.getAttribute('autocomplete') ?? '')) return true;
  const names = NAMING_ATTRIBUTES.map((name) => element.getAttribute(name) ?? '');
  if ([...names, ...labelsOf(element)].some((text) => namesASecret(text) || asksForCode(text))) return true;
  return isCardShaped(element) || isCodeBox(element) || isCodeField(element) || isMasked(element);
}

/** `-webkit-text-security` hides the text of a field other than a password field. */
function isMasked(element: Element): boolean {
  const security = getComputedStyle(element).getPropertyValue('-webkit-text-security');
  return security !== '' && security !== 'none';
}

function isCardShaped(element: Element): boolean {
  if (!isInput(element) || element.type === 'hidden') return false;
  return /(?:\\d|\[0-9\])\{1[3-9](?:,\d+)?\}|(?:(?:\\d|\[0-9\])\{4\}\D*){4}/.test(element.pattern);
}

/** One box per digit of a code: at least four neighbours of one character each. */
function isCodeBox(element: Element): boolean {
  return codeBoxesOf(element).length >= 4;
}

/** A short digit field near text that asks for a code. */
function isCodeField(element: Element): boolean {
  if (!isInput(element) || element.type === 'hidden') return false;
  const takesDigits =
    element.inputMode === 'numeric' ||
    /^(?:tel|number)$/.test(element.type) ||
    /\\d|0-9/.test(element.pattern);
  if (!takesDigits && !(element.maxLength >= 4 && element.maxLength <= 8)) return false;
  const around = element.closest('form, fieldset, section, dialog, [role=dialog]')?.textContent ?? '';
  return around.length < MOST_AROUND && asksForCode(around);
}

function codeBoxesOf(element: Element): HTMLInputElement[] {
  if (!isInput(element) || element.maxLength !== 1) return [];
  const group = element.parentElement?.parentElement ?? element.parentElement;
  return [...(group?.querySelectorAll('input[maxlength="1"]') ?? [])].filter(isInput);
}

/** The joined code of the boxes; undefined for another kind of field. */
export function wholeCodeOf(element: Element): string | undefined {
  const boxes = codeBoxesOf(element);
  return boxes.length >= 4 ? boxes.map(({ value }) => value).join('') : undefined;
}

/** The text beside a field without a label: in another cell, or before a line break. */
function labelsOf(element: Element): string[] {
  const labels = labelTexts(element);
  const isLabelled = labels.length > 0 || element.hasAttribute('aria-label');
  return isLabelled || element.matches('[type=hidden]') ? labels : [huntLabel(element)];
}

function labelTexts(element: Element): string[] {
  const labels =
    isInput(element) || isTextArea(element) || isSelect(element) ? [...(element.labels ?? [])] : [];
  return [...labels, ...elementsNamed(element, 'aria-labelledby')]
    .map((label) => label.textContent ?? '')
    .filter((text) => text.length < 200);
}

function selectedText(select: HTMLSelectElement): string {
  return [...select.selectedOptions].map((option) => option.text).join(', ');
}
