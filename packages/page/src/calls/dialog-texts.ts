import { isAmount } from './amounts.ts';
import { isElement } from './find-target.ts';
import { attributeOf, isWholePage, nearest } from './forms.ts';
import { wordsOf } from './shown-words.ts';

/** Texts around a button that say what a press on it confirms. The runtime knows which button names confirm. */
export interface DialogTexts {
  /** Apply to every button except those that close the dialog. */
  readonly asks: readonly string[];
  /** Apply to a button that confirms, or that has no text. */
  readonly heads: readonly string[];
}

const BUTTON =
  'button, input:is([type=button], [type=submit], [type=image]), [role=button], [onclick]:not(a[href], input, select, textarea, label)';
/** Elements that open or choose something and confirm nothing. */
const NO_ANSWER =
  'summary, [role=tab], [role=option], [role=combobox], [role=switch], [role=checkbox], [role=radio], [type=reset], [aria-expanded], [aria-pressed], [aria-haspopup]:not([aria-haspopup=false])';
const DIALOG = 'dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]';
const HEADING = 'h1, h2, h3, h4, h5, h6, [role=heading]';
const TEXT_FIELD =
  'textarea, select, [contenteditable], input:not([type=hidden], [type=button], [type=submit], [type=image], [type=reset], [type=checkbox], [type=radio])';
const DISMISSES = '[data-dismiss], [data-bs-dismiss], [value=cancel], [formmethod=dialog]';
const LONGEST = 200;
/** A dialog with more buttons is a workspace rather than a question. */
const MOST_BUTTONS = 4;

export function dialogTextsOf(pressed: Element): DialogTexts | undefined {
  const button = nearest(pressed, BUTTON);
  if (button === undefined || button.matches(NO_ANSWER)) return undefined;
  const isUnnamed = !wordsOf(button).some((text) => /[\p{L}\p{N}]/u.test(text));
  if (isUnnamed && button.matches(DISMISSES)) return undefined;
  const dialog = nearest(button, DIALOG);
  const fieldset = nearest(button, 'fieldset');
  const places = [dialog, fieldset].filter((place) => place !== undefined);
  const asking = places.filter(isConfirmation);
  const heads = [
    ...places.filter((place) => !asking.includes(place)).flatMap(headsOf),
    ...(dialog === undefined ? askedBefore(button) : []),
  ];
  const asks = [
    ...referred(button, 'aria-describedby'),
    ...asking.flatMap(headsOf),
    ...[dialog].filter((place) => place !== undefined && asking.includes(place)).flatMap(bodyOf),
  ];
  if (asks.length + heads.length === 0) return undefined;
  return { asks: shortOnes(asks), heads: shortOnes(heads) };
}

const MOST_LEVELS = 3;
const MOST_BEFORE = 3;
/** A text that asks, or announces something final. Others beside a button mention much. */
const ASKS = /[?？؟]|\b(?:undone|reversed|irreversible|permanently|at once|final step|last step)\b/i;
const CONTROL = `${BUTTON}, ${TEXT_FIELD}, a[href], iframe`;

/** The question or announcement that stands right before a button without a dialog. */
function askedBefore(button: Element): string[] {
  let outer: Element | null = button;
  for (let level = 0; outer !== null && level < MOST_LEVELS && !isWholePage(outer); level++) {
    const before = textBefore(outer);
    if (before === undefined) return [];
    if (before !== '') return ASKS.test(before) || isAmount(before) ? [before] : [];
    outer = outer.parentElement;
  }
  return [];
}

/** Undefined where a field or link stands between; other buttons answer the same text. */
function textBefore(element: Element): string | undefined {
  const texts: string[] = [];
  for (
    let node = element.previousSibling;
    node !== null && texts.length < MOST_BEFORE;
    node = node.previousSibling
  ) {
    if (isElement(node)) {
      if (node.matches(BUTTON)) continue;
      if (node.matches(CONTROL) || node.querySelector(CONTROL) !== null) {
        if (texts.length > 0) break;
        return undefined;
      }
      if (!node.checkVisibility() || node.matches('script, style, template')) continue;
    } else if (node.nodeType !== Node.TEXT_NODE) continue;
    const text = tidy(node.textContent ?? '');
    if (text !== '') texts.push(text);
  }
  return texts.reverse().join(' ');
}

function isConfirmation(place: Element): boolean {
  if (place.matches('[role=alertdialog]')) return true;
  return place.querySelector(TEXT_FIELD) === null && place.querySelectorAll(BUTTON).length <= MOST_BUTTONS;
}

function headsOf(place: Element): string[] {
  const heading =
    place.localName === 'fieldset' ? place.querySelector('legend') : place.querySelector(HEADING);
  return [
    attributeOf(place, 'aria-label') ?? '',
    ...referred(place, 'aria-labelledby'),
    ...referred(place, 'aria-describedby'),
    heading?.textContent ?? '',
  ];
}

/**
 * Visible text without buttons and links. Empty for a cookie notice, which mentions much and asks only about
 * cookies.
 */
function bodyOf(place: Element | undefined): string[] {
  if (place === undefined || (place.textContent ?? '').length > 10 * LONGEST) return [];
  const texts: string[] = [];
  const walker = place.ownerDocument.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { parentElement } = node;
    const isText = parentElement?.closest(`${BUTTON}, a[href], script, style, template`) == null;
    if (isText && parentElement?.checkVisibility() === true) texts.push(node.nodeValue ?? '');
  }
  const body = tidy(texts.join(' '));
  return /cookie/i.test(body) ? [] : [body];
}

function referred(element: Element, attribute: string): string[] {
  const root = element.getRootNode();
  const find: unknown = Reflect.get(root, 'getElementById');
  const ids = (attributeOf(element, attribute) ?? '').split(/\s+/).filter((id) => id !== '');
  const found: unknown[] = typeof find === 'function' ? ids.map((id) => Reflect.apply(find, root, [id])) : [];
  return found.filter(isElement).map((each) => each.textContent ?? '');
}

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

const shortOnes = (texts: readonly string[]): string[] =>
  [...new Set(texts.map(tidy))].filter((text) => text !== '' && text.length <= LONGEST);
