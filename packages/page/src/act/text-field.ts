import { isInput, isTextArea } from '../secrets/secret-field.ts';
import { setNatively } from './native-setter.ts';
import { Refusal } from './refusal.ts';

/** How inputs that are no plain text want their value: https://html.spec.whatwg.org/#the-input-element */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-11-30',
  time: '14:05',
  'datetime-local': '2026-11-30T14:05',
  month: '2026-11',
  week: '2026-W48',
  color: '#0f6b66',
  number: '12.5',
  range: '12.5',
};

const NOT_WRITTEN = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'hidden']);

export type TextField = HTMLInputElement | HTMLTextAreaElement;

export function isTextField(element: Element): element is TextField {
  return isInput(element) || isTextArea(element);
}

/** Puts a whole value into a field, with the events that a person's typing would have made. */
export function fillField(field: TextField, text: string): void {
  requireFitting(field, text);
  send(field, 'beforeinput', text, 'insertReplacementText');
  setNatively(field, 'value', text);
  requireTaken(field, text);
  send(field, 'input', text, 'insertReplacementText');
  field.dispatchEvent(new (viewOf(field).Event)('change', { bubbles: true }));
}

/** Puts text in at the caret, or over the selection; the page may refuse it. */
export function insertInField(field: TextField, text: string): boolean {
  if (!send(field, 'beforeinput', text, 'insertText')) return false;
  const { value } = field;
  const start = field.selectionStart ?? value.length;
  const end = field.selectionEnd ?? value.length;
  const room =
    field.maxLength >= 0 ? Math.max(0, field.maxLength - value.length + (end - start)) : text.length;
  const inserted = text.slice(0, room);
  setNatively(field, 'value', value.slice(0, start) + inserted + value.slice(end));
  if (field.selectionStart !== null) {
    const caret = start + inserted.length;
    field.setSelectionRange(caret, caret);
  }
  send(field, 'input', inserted, 'insertText');
  return true;
}

/** Fields of numbers and dates have no caret to put. */
export function putCaretAtEnd(field: TextField): void {
  if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length);
}

/** Takes the selection away, or the character on one side of the caret. */
export function deleteInField(field: TextField, direction: 'backward' | 'forward'): void {
  const inputType = direction === 'backward' ? 'deleteContentBackward' : 'deleteContentForward';
  if (!send(field, 'beforeinput', null, inputType)) return;
  const { value } = field;
  let start = field.selectionStart ?? value.length;
  let end = field.selectionEnd ?? value.length;
  if (start === end && direction === 'backward') start = Math.max(0, start - 1);
  else if (start === end) end = Math.min(value.length, end + 1);
  setNatively(field, 'value', value.slice(0, start) + value.slice(end));
  if (field.selectionStart !== null) field.setSelectionRange(start, start);
  send(field, 'input', null, inputType);
}

function requireFitting(field: TextField, text: string): void {
  if (isInput(field) && NOT_WRITTEN.has(field.type)) {
    const instead = { checkbox: 'check', radio: 'check', file: 'upload' }[field.type] ?? 'click';
    throw new Refusal(
      'invalid_input',
      'not_editable',
      `An input of type ${field.type} is not written in: use ${instead}.`,
    );
  }
  if (field.maxLength < 0 || text.length <= field.maxLength) return;
  const message = `The field takes ${field.maxLength} characters, the text has ${text.length}.`;
  throw new Refusal('invalid_input', 'wrong_value', message, { max_length: field.maxLength });
}

/** The browser empties a field that was given something it cannot hold. */
function requireTaken(field: TextField, text: string): void {
  const format = isInput(field) ? FORMATS[field.type] : undefined;
  if (format === undefined || text === '' || field.value === text) return;
  if (
    isInput(field) &&
    /^(?:number|range|color)$/.test(field.type) &&
    field.value !== '' &&
    field.type !== 'color'
  )
    return;
  const message = `A field of type ${field.type} takes a value like ${format}.`;
  throw new Refusal('invalid_input', 'wrong_value', message, { format });
}

function send(
  field: TextField,
  type: 'beforeinput' | 'input',
  data: string | null,
  inputType: string,
): boolean {
  const init = { bubbles: true, composed: true, cancelable: type === 'beforeinput', data, inputType };
  return field.dispatchEvent(new (viewOf(field).InputEvent)(type, init));
}

export function viewOf(element: Element): Window & typeof globalThis {
  return element.ownerDocument.defaultView ?? window;
}
