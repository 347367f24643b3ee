import { isEditable } from '../secrets/secret-field.ts';
import { isFocusable } from './pointer.ts';
import { Refusal } from './refusal.ts';
import { deleteInField, insertInField, isTextField, viewOf } from './text-field.ts';
import type { Modifier } from './workplace.ts';

export interface Chord {
  readonly modifiers: readonly Modifier[];
  readonly key: string;
}

const MODIFIERS: Readonly<Record<string, Modifier>> = {
  alt: 'Alt',
  option: 'Alt',
  control: 'Control',
  ctrl: 'Control',
  meta: 'Meta',
  cmd: 'Meta',
  command: 'Meta',
  shift: 'Shift',
};

/** https://www.w3.org/TR/uievents-key/#named-key-attribute-values: those a person presses, by usual names. */
const NAMED_KEYS: Readonly<Record<string, string>> = {
  enter: 'Enter',
  return: 'Enter',
  tab: 'Tab',
  escape: 'Escape',
  esc: 'Escape',
  backspace: 'Backspace',
  delete: 'Delete',
  del: 'Delete',
  space: ' ',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  arrowup: 'ArrowUp',
  arrowdown: 'ArrowDown',
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
  home: 'Home',
  end: 'End',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  insert: 'Insert',
};

/** `Control+Shift+k`, `Enter`, `a`, `+`. */
export function parseChord(text: string): Chord {
  const parts = text === '+' ? ['+'] : text.replace(/\+\+$/, '+plus').split('+');
  const last = parts.at(-1) ?? '';
  const modifiers = parts.slice(0, -1).map((part) => MODIFIERS[part.toLowerCase()]);
  const key = keyOf(last);
  if (key === undefined || modifiers.includes(undefined)) {
    throw new Refusal(
      'invalid_input',
      'wrong_value',
      `'${text}' is no key: write Enter, a, or Control+Shift+k.`,
    );
  }
  return { modifiers: modifiers.filter((modifier) => modifier !== undefined), key };
}

function keyOf(text: string): string | undefined {
  if (text.toLowerCase() === 'plus') return '+';
  if ([...text].length === 1) return text;
  const name = text.toLowerCase();
  if (/^f(?:[1-9]|1[0-2])$/.test(name)) return name.toUpperCase();
  return Object.hasOwn(NAMED_KEYS, name) ? NAMED_KEYS[name] : undefined;
}

/** Presses a key where the focus is, and does what the browser does on such a key unless the page objects. */
export function pressChord(target: Element, chord: Chord): void {
  const goesOn = sendKey(target, 'keydown', chord);
  const isPlain = !chord.modifiers.some((modifier) => modifier !== 'Shift');
  if (goesOn && isPlain) actOnKey(target, chord);
  else if (goesOn && chord.key.toLowerCase() === 'a') selectEverything(target);
  sendKey(target, 'keyup', chord);
}

function sendKey(
  target: Element,
  type: 'keydown' | 'keypress' | 'keyup',
  { key, modifiers }: Chord,
): boolean {
  const init: KeyboardEventInit = {
    key,
    code: codeOf(key),
    bubbles: true,
    cancelable: true,
    composed: true,
    altKey: modifiers.includes('Alt'),
    ctrlKey: modifiers.includes('Control'),
    metaKey: modifiers.includes('Meta'),
    shiftKey: modifiers.includes('Shift'),
  };
  return target.dispatchEvent(new (viewOf(target).KeyboardEvent)(type, init));
}

function codeOf(key: string): string {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return key === ' ' ? 'Space' : key;
}

type DefaultAction = (target: Element, chord: Chord) => void;

const DEFAULT_ACTIONS: Readonly<Record<string, DefaultAction>> = {
  Enter: (target, chord) => onEnter(target, chord),
  ' ': (target, chord) => (isPressedBySpace(target) ? click(target) : typeCharacter(target, chord)),
  Tab: (target, { modifiers }) => moveFocus(target, modifiers.includes('Shift') ? -1 : 1),
  Escape: (target) => closeTopmost(target),
  Backspace: (target) => erase(target, 'backward'),
  Delete: (target) => erase(target, 'forward'),
};

function actOnKey(target: Element, chord: Chord): void {
  const action = Object.hasOwn(DEFAULT_ACTIONS, chord.key) ? DEFAULT_ACTIONS[chord.key] : undefined;
  if (action !== undefined) action(target, chord);
  else if ([...chord.key].length === 1) typeCharacter(target, chord);
}

function typeCharacter(target: Element, chord: Chord): void {
  if (!sendKey(target, 'keypress', chord)) return;
  if (isTextField(target)) insertInField(target, chord.key);
  else if (isEditable(target)) target.ownerDocument.execCommand('insertText', false, chord.key);
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission */
function onEnter(target: Element, chord: Chord): void {
  if (!sendKey(target, 'keypress', chord)) return;
  if (target.localName === 'textarea' && isTextField(target)) insertInField(target, '\n');
  else if (isTextField(target) && !/^(?:button|submit|reset|image)$/.test(target.type)) submitFrom(target);
  else if (isEditable(target)) target.ownerDocument.execCommand('insertParagraph');
  else if (target.matches('a[href], button, summary, input')) click(target);
}

function submitFrom(field: HTMLInputElement | HTMLTextAreaElement): void {
  const { form } = field;
  if (form === null) return;
  const button = [...form.elements].find((control) =>
    control.matches('button:not([type]), [type=submit], [type=image]'),
  );
  if (button !== undefined) click(button);
  else if ([...form.elements].filter(isTextField).length <= 1) form.requestSubmit();
}

function isPressedBySpace(target: Element): boolean {
  return target.matches(
    'button, summary, input[type=checkbox], input[type=radio], input[type=button], input[type=submit]',
  );
}

function click(target: Element): void {
  if (isFocusable(target)) target.click();
}

function erase(target: Element, direction: 'backward' | 'forward'): void {
  if (isTextField(target)) deleteInField(target, direction);
  else if (isEditable(target))
    target.ownerDocument.execCommand(direction === 'backward' ? 'delete' : 'forwardDelete');
}

function selectEverything(target: Element): void {
  if (isTextField(target)) target.select();
  else if (isEditable(target)) target.ownerDocument.getSelection()?.selectAllChildren(target);
}

function moveFocus(target: Element, step: 1 | -1): void {
  const root = target.getRootNode();
  if (!('querySelectorAll' in root)) return;
  const all = [...target.ownerDocument.querySelectorAll('*')].filter(
    (element) => isFocusable(element) && element.tabIndex >= 0 && element.checkVisibility(),
  );
  const next = all[(all.indexOf(target) + step + all.length) % all.length];
  if (next !== undefined && isFocusable(next)) next.focus();
}

/** Escape closes what is on top: a popover, else a modal dialog that lets itself be closed. */
function closeTopmost(target: Element): void {
  const document = target.ownerDocument;
  const popover = [...document.querySelectorAll<HTMLElement>('[popover]:popover-open')].at(-1);
  if (popover !== undefined) {
    popover.hidePopover();
    return;
  }
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
  if (dialog === undefined || !('close' in dialog) || typeof dialog.close !== 'function') return;
  if (dialog.dispatchEvent(new (viewOf(target).Event)('cancel', { cancelable: true }))) dialog.close();
}
