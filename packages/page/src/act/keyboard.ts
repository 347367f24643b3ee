import { isEditable } from '../secrets/secret-field.ts';
import type { Modifier } from './action-context.ts';
import { modifierKeys, USUAL, viewOf } from './page-events.ts';
import { isFocusable } from './pointer.ts';
import { refusal } from './refusal.ts';
import { scrollBoxAround } from './scroll-box.ts';
import { deleteInField, insertInField, isTextField } from './text-field.ts';

export interface Chord {
  readonly modifiers: readonly Modifier[];
  readonly key: string;
}

/** Keys that a person presses, with aliases: https://www.w3.org/TR/uievents-key/#named-key-attribute-values */
const NAMED_KEYS = new Map(
  'Alt option,Control ctrl,Meta cmd command,Shift,Enter return,Tab,Escape esc,Backspace,Delete del,ArrowUp up,ArrowDown down,ArrowLeft left,ArrowRight right,Home,End,PageUp,PageDown,Insert,ContextMenu'
    .split(',')
    .flatMap((names) => names.split(' ').map((name, _, [key = '']) => [name.toLowerCase(), key])),
)
  .set('space', ' ')
  .set('plus', '+');

/** `Control+Shift+k`, `Enter`, `a`, `+`. */
export function parseChord(text: string): Chord {
  const parts = text === '+' ? ['plus'] : text.replace(/\+\+$/, '+plus').split('+');
  const key = keyOf(parts.pop() ?? '');
  const modifiers = parts.map((part) => NAMED_KEYS.get(part.toLowerCase())).filter(isModifier);
  if (key !== undefined && modifiers.length === parts.length) return { modifiers, key };
  const message = 'This is no key: write Enter, a, or Control+Shift+k.';
  throw refusal('invalid_input', 'wrong_value', message);
}

function isModifier(key: string | undefined): key is Modifier {
  return key === 'Alt' || key === 'Control' || key === 'Meta' || key === 'Shift';
}

function keyOf(text: string): string | undefined {
  if ([...text].length === 1) return text;
  return /^f(?:[1-9]|1[0-2])$/i.test(text) ? text.toUpperCase() : NAMED_KEYS.get(text.toLowerCase());
}

/**
 * Presses a key at the focus with the browser's default action, unless the page cancels it. `requireSame`
 * fails when the page has changed the key's target. False when only the browser could do what the key does.
 */
export function pressChord(target: Element, chord: Chord, requireSame = () => {}): boolean {
  const goesOn = sendKey(target, 'keydown', chord);
  const isPlain = !chord.modifiers.some((modifier) => modifier !== 'Shift');
  if (goesOn && isPlain) actOnKey(target, chord, requireSame);
  else if (goesOn && chord.key.toLowerCase() === 'a') selectEverything(target);
  sendKey(target, 'keyup', chord);
  return !goesOn || !(isPlain ? isForBrowser(target, chord) : /^[cvxyz]$/i.test(chord.key));
}

const SCROLLS: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1, End: Infinity, Home: -Infinity };

/** The caret of a field and the choice of a list follow real keys only. */
const isForBrowser = (target: Element, { key }: Chord): boolean =>
  key === 'ContextMenu' ||
  (/^(?:Arrow|Page|Home$|End$)/.test(key) && (target.matches(STEPPED) || isEditable(target)));

const STEPPED = 'input, textarea, select';

function sendKey(
  target: Element,
  type: 'keydown' | 'keypress' | 'keyup',
  { key, modifiers }: Chord,
): boolean {
  const init = { ...USUAL, ...modifierKeys(modifiers), key, code: codeOf(key) };
  return target.dispatchEvent(new (viewOf(target).KeyboardEvent)(type, init));
}

function codeOf(key: string): string {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return key === ' ' ? 'Space' : key;
}

function actOnKey(target: Element, chord: Chord, requireSame: () => void): void {
  const { key, modifiers } = chord;
  if (key === 'Enter') onEnter(target, chord, requireSame);
  else if (key === 'Tab') moveFocus(target, modifiers.includes('Shift') ? -1 : 1);
  else if (key === 'Escape') closeTopmost(target);
  else if (key === 'Backspace' || key === 'Delete') erase(target, key === 'Delete');
  else if (key === ' ' && target.matches(PRESSED_BY_SPACE)) {
    requireSame();
    click(target);
  } else if (SCROLLS[key] !== undefined && !isForBrowser(target, chord)) scrollBy(target, SCROLLS[key]);
  else if ([...key].length === 1) typeCharacter(target, chord);
}

function scrollBy(target: Element, views: number): void {
  const box = scrollBoxAround(target);
  const top = Math.max(-box.scrollHeight, Math.min(box.scrollHeight, views * box.clientHeight * 0.9));
  box.scrollBy({ top, behavior: 'instant' });
}

const PRESSED_BY_SPACE =
  'button, summary, input:is([type=checkbox], [type=radio], [type=button], [type=submit])';

function typeCharacter(target: Element, chord: Chord): void {
  if (!sendKey(target, 'keypress', chord)) return;
  if (isTextField(target)) insertInField(target, chord.key);
  else if (isEditable(target)) command(target, 'insertText', chord.key);
}

function command({ ownerDocument }: Element, name: string, text?: string): void {
  ownerDocument.execCommand(name, false, text);
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission */
function onEnter(target: Element, chord: Chord, requireSame: () => void): void {
  if (!sendKey(target, 'keypress', chord)) return;
  requireSame();
  if (target.localName === 'textarea' && isTextField(target)) insertInField(target, '\n');
  else if (isTextField(target) && !/^(?:button|submit|reset|image)$/.test(target.type)) submitFrom(target);
  else if (isEditable(target)) command(target, 'insertParagraph');
  else if (target.matches('a[href], button, summary, input')) click(target);
}

function submitFrom({ form }: HTMLInputElement | HTMLTextAreaElement): void {
  const controls = [...(form?.elements ?? [])];
  const button = controls.find((control) =>
    control.matches('button:not([type]), [type=submit], [type=image]'),
  );
  if (button !== undefined) click(button);
  else if (controls.filter(isTextField).length <= 1) form?.requestSubmit();
}

function click(target: Element): void {
  if (isFocusable(target)) target.click();
}

function erase(target: Element, isForward: boolean): void {
  if (isTextField(target)) deleteInField(target, isForward);
  else if (isEditable(target)) command(target, isForward ? 'forwardDelete' : 'delete');
}

function selectEverything(target: Element): void {
  if (isTextField(target)) target.select();
  else if (isEditable(target)) target.ownerDocument.getSelection()?.selectAllChildren(target);
}

function moveFocus(target: Element, step: 1 | -1): void {
  const all = [...target.ownerDocument.querySelectorAll('*')]
    .filter(isFocusable)
    .filter((element) => element.tabIndex >= 0 && element.checkVisibility());
  const index = isFocusable(target) ? all.indexOf(target) : -1;
  all[(index + step + all.length) % all.length]?.focus();
}

/** Escape closes the topmost popover, else a modal dialog that allows it. */
function closeTopmost(target: Element): void {
  const document = target.ownerDocument;
  const popover = [...document.querySelectorAll<HTMLElement>('[popover]:popover-open')].at(-1);
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1);
  if (popover !== undefined) popover.hidePopover();
  else if (dialog?.dispatchEvent(new (viewOf(target).Event)('cancel', { cancelable: true }))) dialog.close();
}
