import { isInput, isTextArea } from '../secrets/secret-field.ts';
import { sendInput, viewOf } from './page-events.ts';
import { refusal } from './refusal.ts';

/** Value formats of inputs other than text: https://html.spec.whatwg.org/#the-input-element */
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

const NOT_WRITTEN = /^(?:button|submit|reset|image|checkbox|radio|file|hidden)$/;

export type TextField = HTMLInputElement | HTMLTextAreaElement;

export function isTextField(element: Element): element is TextField {
  return isInput(element) || isTextArea(element);
}

/** Sets a field's value with the events of typing. */
export function fillField(field: TextField, text: string): void {
  requireFitting(field, text);
  sendInput(field, 'beforeinput', text, 'insertReplacementText');
  setValue(field, text);
  requireTaken(field, text);
  sendInput(field, 'input', text, 'insertReplacementText');
  field.dispatchEvent(new (viewOf(field).Event)('change', { bubbles: true }));
}

/**
 * Bypasses an own property that React keeps on the element to detect its own writes: it ignores a plain
 * assignment.
 */
function setValue(field: TextField, text: string): void {
  Reflect.set(Object.getPrototypeOf(field), 'value', text, field);
}

/** Inserts at the caret, or replaces the selection; the page may cancel it. */
export function insertInField(field: TextField, text: string): void {
  const [start, end] = selectionIn(field);
  const room = field.maxLength >= 0 ? field.maxLength - field.value.length + end - start : text.length;
  replace(field, start, end, text.slice(0, Math.max(0, room)), 'insertText');
}

/** Number and date fields have no caret. */
export function putCaretAtEnd(field: TextField): void {
  if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length);
}

/** Deletes the selection, or the character on one side of the caret. */
export function deleteInField(field: TextField, isForward: boolean): void {
  const [start, end] = selectionIn(field);
  const isCaret = start === end;
  const from = isCaret && !isForward ? Math.max(0, start - 1) : start;
  const to = isCaret && isForward ? end + 1 : end;
  replace(field, from, to, '', isForward ? 'deleteContentForward' : 'deleteContentBackward');
}

function selectionIn({ value, selectionStart, selectionEnd }: TextField): [number, number] {
  return [selectionStart ?? value.length, selectionEnd ?? value.length];
}

function replace(field: TextField, start: number, end: number, text: string, inputType: string): void {
  const data = text === '' ? null : text;
  if (!sendInput(field, 'beforeinput', data, inputType)) return;
  setValue(field, field.value.slice(0, start) + text + field.value.slice(end));
  const caret = start + text.length;
  if (field.selectionStart !== null) field.setSelectionRange(caret, caret);
  sendInput(field, 'input', data, inputType);
}

function requireFitting({ type, maxLength }: TextField, text: string): void {
  if (NOT_WRITTEN.test(type)) {
    const instead = /^(?:checkbox|radio)$/.test(type) ? 'check' : type === 'file' ? 'upload' : 'click';
    const message = `A field of type ${type} takes no text: use ${instead}.`;
    throw refusal('invalid_input', 'not_editable', message);
  }
  if (maxLength < 0 || text.length <= maxLength) return;
  const message = `The field takes ${maxLength} characters, not ${text.length}.`;
  throw refusal('invalid_input', 'wrong_value', message, { max_length: maxLength });
}

/** The browser clears a field given an invalid value, and rounds a number. */
function requireTaken({ type, value }: TextField, text: string): void {
  const format = FORMATS[type];
  if (format === undefined || text === '' || value === text) return;
  if (/^(?:number|range)$/.test(type) && value !== '') return;
  const message = `A field of type ${type} takes a value like ${format}.`;
  throw refusal('invalid_input', 'wrong_value', message, { format });
}
