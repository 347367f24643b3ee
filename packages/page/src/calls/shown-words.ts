import { fullNameOf } from '../perceive/accessible-name.ts';
import { guessName } from '../perceive/guessed-name.ts';
import { nearest } from './forms.ts';
import { counterText, generatedText, quoted } from './generated-text.ts';
import { iconNamesOf } from './icon-names.ts';
import { paintedWordsOf } from './painted-words.ts';
import { drawnOrderOf, withoutBreaks } from './visual-order.ts';

/** Semantic controls: a press on something inside one presses it too. */
const CONTROL =
  'a[href], button, input, summary, label, [onclick], [role=button], [role=link], [role=menuitem], [role=option], [role=tab], [role=switch], [role=checkbox], [role=radio]';
const ACTS = 'button, input, [onclick], [role=button], [role=menuitem]';
/** Attributes that a person reads as a tooltip, or hears. */
const NAMING = ['aria-label', 'title', 'alt', 'aria-description'].concat([
  'data-tooltip',
  'data-tip',
  'data-title',
  'data-original-title',
  'data-bs-title',
  'aria-valuetext',
  'aria-roledescription',
]);
/** Text that is typed. An editor that listens for presses is a button, too. */
const FIELD = 'input, textarea, select, [contenteditable]:not([onclick], [role=button], [role=link])';
/** Texts of an image or icon inside a control, which its visible text lacks. */
const NAMED_INSIDE = `${NAMING.map((name) => `[${name}]`).join(', ')}, svg title`;
const MOST_INSIDE = 20;
/** Limit for a person. */
export const MOST_CHARS = 500;
/** Limit for the word table; a longer text is reported as too long. */
export const MOST_READ = 4_000;
/** The text of a whole card says little about one press on it. */
const MOST_CHARS_AROUND = 120;

/**
 * Every text that describes an element's action, its accessible name first: an `aria-label` is invisible, and
 * a title or image may say more than either.
 */
export function wordsOf(element: Element): string[] {
  const around = controlAround(element);
  const texts = [...textsOf(element), ...(around === undefined ? [] : textsOf(around).filter(isShort))];
  return [...new Set(texts.map((text) => tidy(text).slice(0, MOST_READ)))].filter((text) => text !== '');
}

/** Whether a pressable element has more text than is read. */
export const isTooLong = (element: Element): boolean =>
  element.matches(ACTS) && tidy(visibleText(element)).length > MOST_READ;

/** One line for a person: the name, then other visible text. */
export function labelOf(element: Element): string {
  const name = clipped(tidy(fullNameOf(element)), MOST_CHARS);
  const seen = clipped(tidy(visibleText(element)), MOST_CHARS);
  return holds(name, seen) || holds(seen, name) ? name || seen : `${name} · ${seen}`;
}

function textsOf(element: Element): string[] {
  const texts = wordTextsOf(element);
  const isWorded = texts.some((text) => /\p{L}/u.test(text));
  return isWorded ? texts : [...texts, ...iconNamesOf(element)];
}

/** A name guessed from an icon or from code is no word on the element. */
function shownNameOf(element: Element): string {
  const name = fullNameOf(element);
  return name === guessName(element) ? '' : name;
}

function wordTextsOf(element: Element): string[] {
  const visible = visibleText(element);
  const texts = [shownNameOf(element), visible, buttonValue(element), ...withoutBreaks(visible)];
  const attributes = attributesOf(element);
  if (!element.matches(CONTROL) && texts.every((text) => text === '')) return attributes;
  const inside = [...element.querySelectorAll(NAMED_INSIDE)]
    .slice(0, MOST_INSIDE)
    .flatMap((each) => [...attributesOf(each), each.localName === 'title' ? (each.textContent ?? '') : '']);
  const painted = element.matches(`${CONTROL}, textarea`)
    ? [...paintedWordsOf(element, visible), ...drawnOrderOf(element)]
    : [];
  return [...texts, ...drawnTexts(element, visible), ...attributes, ...inside, ...painted];
}

const attributesOf = (element: Element): string[] => NAMING.map((name) => element.getAttribute(name) ?? '');

function controlAround({ parentElement }: Element): Element | undefined {
  return parentElement === null ? undefined : nearest(parentElement, CONTROL);
}

/**
 * Rendered text, since CSS hides and changes text. Field values are excluded, and so is the text of a
 * container, which does not describe a press on it.
 */
function visibleText(element: Element): string {
  if (element.matches(FIELD)) return '';
  const isControl = element.matches(CONTROL);
  if (!isControl && (element.textContent ?? '').length > MOST_CHARS) return '';
  const drawn: unknown = Reflect.get(element, 'innerText');
  const text = typeof drawn === 'string' ? drawn : (element.textContent ?? '');
  return isControl || isShort(text) ? text : '';
}

const isShort = (text: string): boolean => text.length <= MOST_CHARS_AROUND;

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

function buttonValue(element: Element): string {
  return element.matches('input:is([type=button], [type=submit], [type=reset], [type=image])')
    ? (element.getAttribute('value') ?? '')
    : '';
}

/** Text from CSS, which is not in the document: by itself, and run together with the text that it stands beside. */
function drawnTexts(element: Element, visible: string): string[] {
  const view = element.ownerDocument.defaultView;
  if (view === null) return [];
  const drawnAt = (each: Element, pseudo: string) => {
    const { content, quotes } = view.getComputedStyle(each, pseudo);
    return generatedText(content, quotes, element.ownerDocument);
  };
  const parts = [element, ...element.querySelectorAll('*')].slice(0, MOST_INSIDE);
  const drawn = parts.flatMap((each) => {
    const { display, listStyleType } = view.getComputedStyle(each);
    const marker = display.includes('list-item')
      ? `${drawnAt(each, '::marker')} ${quoted(listStyleType)}${counterText(listStyleType, each.ownerDocument)}`
      : '';
    const [before, after] = [drawnAt(each, '::before'), drawnAt(each, '::after')];
    const isAround = before !== '' && after !== '' && each !== element;
    return [marker, before, after, isAround ? `${before}${each.textContent ?? ''}${after}` : ''];
  });
  const text = drawn.filter((each) => each.trim() !== '').join(' ');
  if (text === '') return [];
  return [text, `${drawnAt(element, '::before')}${visible}${drawnAt(element, '::after')}`];
}

const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Keeps the beginning and the end: a word in the middle of a long text does not name a button. */
export function clipped(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 100)} … ${text.slice(-95)}`;
}
