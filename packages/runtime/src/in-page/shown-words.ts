import { fullNameOf } from '@drawbridge/page';
import { nearest } from './forms.ts';
import { paintedWordsOf } from './painted-words.ts';

/** Semantic controls: a press on something inside one presses it too. */
const CONTROL =
  'a[href], button, input, summary, label, [onclick], [role=button], [role=link], [role=menuitem], [role=option], [role=tab], [role=switch], [role=checkbox], [role=radio]';
const ACTS = 'button, input, [onclick], [role=button], [role=menuitem]';
/** Texts of an image or icon inside a control, which its visible text lacks. */
const NAMED_INSIDE = '[alt], [title], [aria-label], svg title';
const MOST_INSIDE = 20;
/** Limit for a person. */
const MOST_CHARS = 500;
/** Limit for the word table; a longer text is reported as too long. */
const MOST_READ = 4_000;
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
  const texts = [fullNameOf(element), visibleText(element), buttonValue(element)];
  const attributes = ['aria-label', 'title', 'alt'].map((name) => element.getAttribute(name) ?? '');
  if (!element.matches(CONTROL) && texts.every((text) => text === '')) return attributes;
  const inside = [...element.querySelectorAll(NAMED_INSIDE)]
    .slice(0, MOST_INSIDE)
    .flatMap((each) => [
      each.getAttribute('alt') ?? '',
      each.getAttribute('title') ?? '',
      each.getAttribute('aria-label') ?? '',
      each.localName === 'title' ? (each.textContent ?? '') : '',
    ]);
  const painted = element.matches(`${CONTROL}, textarea`)
    ? paintedWordsOf(element, visibleText(element))
    : [];
  return [...texts, drawnText(element), ...attributes, ...inside, ...painted];
}

function controlAround({ parentElement }: Element): Element | undefined {
  return parentElement === null ? undefined : nearest(parentElement, CONTROL);
}

/**
 * Rendered text, since CSS hides and changes text. Field values are excluded, and so is the text of a
 * container, which does not describe a press on it.
 */
function visibleText(element: Element): string {
  if (element.matches('input, textarea, select, [contenteditable]')) return '';
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

/** Text from CSS `::before` and `::after`, which is not in the document. */
function drawnText(element: Element): string {
  const view = element.ownerDocument.defaultView;
  const drawn = [element, ...element.children]
    .slice(0, MOST_INSIDE)
    .flatMap((each) =>
      ['::before', '::after'].map((pseudo) => view?.getComputedStyle(each, pseudo).content ?? ''),
    );
  return drawn
    .flatMap((content) => [...content.matchAll(/"((?:[^"\\]|\\.)*)"/g)])
    .map(([, text = '']) => text)
    .join(' ');
}

const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Keeps the beginning and the end: a word in the middle of a long text does not name a button. */
function clipped(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 100)} … ${text.slice(-95)}`;
}
