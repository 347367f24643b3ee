import { fullNameOf } from '@drawbridge/page';
import { nearest } from './forms.ts';
import { paintedWordsOf } from './painted-words.ts';

/** What can be pressed and says so: a press on something inside it presses it too. */
const CONTROL =
  'a[href], button, input, summary, label, [onclick], [role=button], [role=link], [role=menuitem], [role=option], [role=tab], [role=switch], [role=checkbox], [role=radio]';
const ACTS = 'button, input, [onclick], [role=button], [role=menuitem]';
/** Texts of a picture or an icon inside a control, which its visible text lacks. */
const NAMED_INSIDE = '[alt], [title], [aria-label], svg title';
const MOST_INSIDE = 20;
/** For a person. */
const MOST_CHARS = 500;
/** For the table of words; what is longer is not read, and said not to be. */
const MOST_READ = 4_000;
/** The text of a whole card says little of the one press on it. */
const MOST_CHARS_AROUND = 120;

/**
 * Every text that says what an element does, its accessible name first: an `aria-label` is not what a person sees, and
 * a title or a picture may say more than either.
 */
export function wordsOf(element: Element): string[] {
  const around = controlAround(element);
  const texts = [...textsOf(element), ...(around === undefined ? [] : textsOf(around).filter(isShort))];
  return [...new Set(texts.map((text) => tidy(text).slice(0, MOST_READ)))].filter((text) => text !== '');
}

/** Whether something that acts when it is pressed says more than is read of it. */
export const isTooLong = (element: Element): boolean =>
  element.matches(ACTS) && tidy(visibleText(element)).length > MOST_READ;

/** The same on one line, for a person: the name, and after it whatever else is seen. */
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
 * As drawn: CSS hides and changes text. Fields have values instead, which are nobody's words, and the text of a
 * container is not what a press on it says.
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

/** What CSS writes before and after: it is in no text of the document. */
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

/** Its beginning and its end: a word in the middle of a long text is not what a button is called. */
function clipped(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 100)} … ${text.slice(-95)}`;
}
