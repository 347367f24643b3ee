import { nameOf } from '../perceive/accessible-name.ts';
import { composedParent } from '../perceive/composed-tree.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, textIn, tidy } from '../perceive/text.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import { type Appearance, type Look, PAINTED } from './appearance.ts';

/** One thing that a person could see change. The words are unmasked. */
export interface VisibleChange {
  readonly element: Element;
  readonly kind: 'text' | 'value' | 'style' | 'new' | 'gone' | 'place';
  readonly words: string;
  /** Takes the place of another element. */
  readonly isRedrawn?: boolean;
}

const LABEL_LIMIT = 40;
const TEXT_LIMIT = 80;

/** The smallest changes between two looks, in rendered order; moves and sizes only if nothing else explains them. */
export function visibleChanges(before: Appearance, after: Appearance): VisibleChange[] {
  const { added, removed, pairs } = matched(before, after);
  const changes = pairs.flatMap(([was, element, is]) => {
    const isRedrawn = !before.has(element);
    return changesOf(was, element, is).map((change) => ({ ...change, isRedrawn }));
  });
  const styled = new Map(changes.flatMap(({ element, props }) => (props ? [[element, props] as const] : [])));
  const own = changes.filter(({ element, props }) => {
    const outer = props && styled.get(composedParent(element) ?? element);
    return outer === undefined || !props?.every((name) => outer.includes(name)) || outer === props;
  });
  const came = outermost(added, after).map((element): VisibleChange => {
    return { element, kind: 'new', words: `new: ${textWithin(element, after) || labelOf(element)}` };
  });
  const left = outermost(removed, before).map((element): VisibleChange => {
    return { element, kind: 'gone', words: `gone: ${textWithin(element, before) || labelOf(element)}` };
  });
  const found: VisibleChange[] = [...own, ...came, ...left];
  return found.length > 0 ? found : pairs.flatMap(([was, element, is]) => moveOf(was, element, is) ?? []);
}

type Pair = readonly [was: Look, element: Element, is: Look];

/** Pairs elements with themselves, redrawn ones with their likeness, and the rest by tag and place. */
function matched(before: Appearance, after: Appearance) {
  const pairs: Pair[] = [];
  let added: Element[] = [];
  for (const [element, is] of after) {
    const was = before.get(element);
    if (was === undefined) added.push(element);
    else pairs.push([was, element, is]);
  }
  let removed = [...before.keys()].filter((element) => !after.has(element));
  for (const keyOf of [wholeKey, placeKey]) {
    const waiting = new Map<string, Element[]>();
    for (const element of removed) {
      const key = keyOf(element, before.get(element));
      waiting.set(key, [...(waiting.get(key) ?? []), element]);
    }
    const twins = new Set<Element>();
    added = added.filter((element) => {
      const twin = waiting.get(keyOf(element, after.get(element)))?.shift();
      const [was, is] = [twin && before.get(twin), after.get(element)];
      if (twin === undefined || was === undefined || is === undefined) return true;
      twins.add(twin);
      pairs.push([was, element, is]);
      return false;
    });
    removed = removed.filter((element) => !twins.has(element));
  }
  return { added, removed, pairs };
}

const wholeKey = ({ localName }: Element, look?: Look): string =>
  JSON.stringify([localName, look?.text, look?.held, look?.paint, look?.size, look?.place]);
const placeKey = ({ localName }: Element, look?: Look): string =>
  JSON.stringify([localName, look?.place, look?.parent?.localName]);

function changesOf(
  was: Look,
  element: Element,
  is: Look,
): (VisibleChange & { readonly props?: readonly string[] })[] {
  if (was.text !== is.text) return [{ element, kind: 'text', words: textWords(was.text, is.text) }];
  if (was.held !== is.held)
    return [{ element, kind: 'value', words: valueWords(element, was.held, is.held) }];
  const at = is.paint.flatMap((value, index) => (value === was.paint[index] ? [] : index));
  if (at.length === 0) return [];
  const props = at.map((index) => PAINTED[index] ?? (isSvg(element) ? 'shape' : 'decoration'));
  return [{ element, kind: 'style', props, words: `${labelOf(element)}: ${styleWords(was, is, props, at)}` }];
}

const isSvg = (element: Element): boolean => 'ownerSVGElement' in element;

export function textWords(was: string, is: string): string {
  const [from, to] = [was, is].map((text) => cutText(text, TEXT_LIMIT));
  if (from === '') return `text: ${to}`;
  return to === '' ? `text gone: ${from}` : `text: ${from} → ${to}`;
}

function valueWords(element: Element, was: string, is: string): string {
  const name = [roleOf(element), nameOf(element)].filter((part) => part !== '').join(' ');
  if (isSecretField(element)) return `${name}: changed`;
  if (element.localName === 'img') return `${labelOf(element)}: another picture`;
  const [from, to] = [was, is].map((text) => cutText(tidy(text), LABEL_LIMIT));
  const isState = /^(?:un)?checked$|^mixed$|^playing|^paused/.test(is);
  return isState ? `${name}: ${to}` : `${name} ${from || '(empty)'} → ${to || '(empty)'}`;
}

/** A class says more than the colours that it brings. */
function styleWords(was: Look, is: Look, props: readonly string[], at: readonly number[]): string {
  const [old, now] = [was, is].map(({ classes }) => classes.split(/\s+/).filter(Boolean));
  const gained = now?.filter((name) => !old?.includes(name)) ?? [];
  const lost = old?.filter((name) => !now?.includes(name)) ?? [];
  const names = [...new Set(props)].slice(0, 3).join(', ');
  const [only] = at;
  const value =
    props.length === 1 && only !== undefined && only < PAINTED.length ? is.paint[only] : undefined;
  if (gained.length > 0) return `${cutText(gained.join(' '), LABEL_LIMIT)} (${names})`;
  if (lost.length > 0) return `no longer ${cutText(lost.join(' '), LABEL_LIMIT)} (${names})`;
  return value !== undefined && value.length <= LABEL_LIMIT ? `${names} ${value}` : names;
}

function moveOf(was: Look, element: Element, is: Look): VisibleChange | undefined {
  if (was.size !== is.size) return { element, kind: 'place', words: `${labelOf(element)}: other size` };
  return was.place === is.place ? undefined : { element, kind: 'place', words: `${labelOf(element)}: moved` };
}

const outermost = (elements: readonly Element[], looks: Appearance): Element[] => {
  const all = new Set(elements);
  return elements.filter((element) => {
    const parent = looks.get(element)?.parent;
    return parent === undefined || !all.has(parent);
  });
};

/** Taken from the look, because a removed element may have been emptied. */
function textWithin(element: Element, looks: Appearance): string {
  const texts: string[] = [];
  let length = 0;
  for (const [inner, { text, held }] of looks) {
    if (length > TEXT_LIMIT) break;
    const isValue = text === '' && held !== '' && !isSecretField(inner);
    const shown = text !== '' ? text : isValue && 'value' in inner ? held : '';
    if (shown === '' || !(inner === element || element.contains(inner))) continue;
    texts.push(shown);
    length += shown.length;
  }
  return cutText(tidy(texts.join(' ')), TEXT_LIMIT);
}

/** Names an element for a reader: by its text, else by its kind. */
export function labelOf(element: Element): string {
  const given = element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? '';
  return cutText(tidy(given || textIn(element, LABEL_LIMIT * 2)), LABEL_LIMIT) || element.localName;
}
