import { fullNameOf, NAME_LIMIT } from '../perceive/accessible-name.ts';
import { composedParent } from '../perceive/composed-tree.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, textIn, tidy } from '../perceive/text.ts';
import { isField } from '../secrets/secret-field.ts';
import { type Appearance, type Look, PAINTED } from './appearance.ts';

/** Masks secrets; applied before words are cut, so that no half of a secret remains. */
export type Clean = (text: string) => string;

/** One thing that a person could see change, in masked words. */
export interface VisibleChange {
  readonly element: Element;
  readonly kind: 'text' | 'value' | 'style' | 'new' | 'gone' | 'place';
  readonly words: string;
  /** Takes the place of another element. */
  readonly isRedrawn?: boolean;
  /** Got other classes, as no pointer or focus gives. */
  readonly isReclassed?: boolean;
}

const LABEL_LIMIT = 40;
const TEXT_LIMIT = 80;

export interface VisibleChanges {
  /** The smallest changes between two looks, in rendered order. */
  readonly changes: readonly VisibleChange[];
  /** Other places and sizes: most changes explain some of them. */
  readonly moves: () => readonly VisibleChange[];
}

/** `isOutOfView`: still there, only scrolled or pushed away. */
export function visibleChanges(
  before: Appearance,
  after: Appearance,
  clean: Clean,
  isOutOfView: (element: Element) => boolean,
): VisibleChanges {
  const { added, removed, pairs } = matched(before, after, isOutOfView);
  const changes = pairs.flatMap(([was, element, is]) => {
    const isRedrawn = !before.has(element);
    return changesOf(was, element, is, clean).map((change) => ({ ...change, isRedrawn }));
  });
  const styled = new Map(changes.flatMap(({ element, props }) => (props ? [[element, props] as const] : [])));
  const own = changes.filter(({ element, props }) => {
    const outer = props && styled.get(composedParent(element) ?? element);
    return outer === undefined || !props?.every((name) => outer.includes(name)) || outer === props;
  });
  const unpaired = new Set([...added, ...removed]);
  const came = outermost(added, after).flatMap((element): VisibleChange | readonly VisibleChange[] => {
    const marked = styleWithin(element, before, after, clean);
    if (marked !== undefined) return marked;
    const words = wordsWithin(element, after, unpaired, clean);
    return words === undefined ? [] : { element, kind: 'new', words: `new: ${words}` };
  });
  const left = outermost(removed, before).flatMap((element): VisibleChange | readonly VisibleChange[] => {
    const marked = styleWithin(element, after, before, clean);
    if (marked !== undefined) return marked.map((each) => ({ ...each, words: `no longer ${each.words}` }));
    const words = wordsWithin(element, before, unpaired, clean);
    return words === undefined ? [] : { element, kind: 'gone', words: `gone: ${words}` };
  });
  return {
    changes: [...own, ...came, ...left, ...reordered(pairs, before, after, clean)],
    moves: () => pairs.flatMap(([was, element, is]) => moveOf(was, element, is, clean) ?? []),
  };
}

/** Words of a text that stays, in a new or a removed element around them: bold, struck through, a caret. */
function styleWithin(
  element: Element,
  without: Appearance,
  with_: Appearance,
  clean: Clean,
): VisibleChange[] | undefined {
  const look = with_.get(element);
  const outer = look?.parent;
  const [was, is] = [outer && without.get(outer), outer && with_.get(outer)];
  if (look === undefined || was === undefined || is === undefined || was.isSecret || is.isSecret)
    return undefined;
  // An element that only shows or hides leaves the text around it whole.
  if (was.text === is.text || lettersIn(was) === '' || lettersIn(was) !== lettersIn(is)) return undefined;
  if (look.text === '') return [];
  const styles = PAINTED.filter((name, at) => STYLES.has(name) && look.paint[at] !== is.paint[at]);
  const names = styles.map((name) => STYLES.get(name)?.(look.paint[PAINTED.indexOf(name)] ?? '') ?? name);
  if (names.length === 0) return [];
  return [
    {
      element,
      kind: 'style',
      isReclassed: true,
      words: `${names.join(', ')}: ${short(tidy(clean(look.text)), TEXT_LIMIT)}`,
    },
  ];
}

const STYLES = new Map<string, (value: string) => string>([
  ['font-weight', (value) => (Number(value) >= 600 ? 'bold' : 'not bold')],
  ['font-style', (value) => (value === 'normal' ? 'upright' : value)],
  ['text-decoration', (value) => /^[\w-]+/.exec(value)?.[0] ?? value],
  ['background-color', () => 'highlighted'],
]);

const lettersIn = ({ whole, text }: Look): string => whole ?? text.replace(/\s+/g, '');

type Pair = readonly [was: Look, element: Element, is: Look];

/** Pairs elements with themselves, redrawn ones with their likeness, and the rest by tag and place. */
function matched(before: Appearance, after: Appearance, isOutOfView: (element: Element) => boolean) {
  const pairs: Pair[] = [];
  let added: Element[] = [];
  for (const [element, is] of after) {
    const was = before.get(element);
    if (was === undefined) added.push(element);
    else pairs.push([was, element, is]);
  }
  let removed = [...before.keys()].filter((element) => !after.has(element) && !isOutOfView(element));
  for (const keyOf of [spotKey, wholeKey, contentKey, pointKey, placeKey]) {
    const waiting = new Map<string, Element[]>();
    for (const element of removed) {
      const key = keyOf(element, before.get(element), before);
      if (key === undefined) continue;
      waiting.set(key, [...(waiting.get(key) ?? []), element]);
    }
    const twins = new Set<Element>();
    added = added.filter((element) => {
      const key = keyOf(element, after.get(element), after);
      const twin = key === undefined ? undefined : waiting.get(key)?.shift();
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

const pointKey = ({ localName }: Element, look: Look | undefined, looks: Appearance): string =>
  JSON.stringify([localName, look && pointOf(look, looks)]);
/** The same words at the same point of the page, in another colour perhaps. */
const spotKey = ({ localName }: Element, look: Look | undefined, looks: Appearance): string =>
  JSON.stringify([localName, look?.text, look?.held, look && pointOf(look, looks)]);
const wholeKey = ({ localName }: Element, look?: Look): string =>
  JSON.stringify([localName, look?.text, look?.held, look?.paint, look?.size, look?.place]);
/** The same words elsewhere: something came above it. */
const contentKey = ({ localName }: Element, look?: Look): string | undefined =>
  look === undefined || (look.text === '' && look.held === '')
    ? undefined
    : JSON.stringify([localName, look.text, look.held, look.paint]);
const placeKey = ({ localName }: Element, look?: Look): string =>
  JSON.stringify([localName, look?.place, look?.parent?.localName]);

function changesOf(
  was: Look,
  element: Element,
  is: Look,
  clean: Clean,
): (VisibleChange & { readonly props?: readonly string[] })[] {
  const isSplitOtherwise = was.text !== is.text && was.held === is.held && lettersIn(was) === lettersIn(is);
  if ((was.text !== is.text || was.held !== is.held) && !isSplitOtherwise) {
    const kind = was.text === is.text ? 'value' : 'text';
    if (was.isSecret || is.isSecret) {
      const subject = isField(element) ? kindAndName(element, clean) : 'text';
      return [{ element, kind, words: `${subject}: changed` }];
    }
    const words =
      kind === 'text'
        ? textWords(was.text, is.text, clean)
        : valueWords(element, clean(was.held), clean(is.held), clean);
    return [{ element, kind, words }];
  }
  const at = is.paint.flatMap((value, index) => (value === was.paint[index] ? [] : index));
  if (at.length === 0) return [];
  const props = at.map((index) => PAINTED[index] ?? (isSvg(element) ? 'shape' : 'decoration'));
  const label = is.isSecret ? element.localName : labelOf(element, clean);
  const words = `${label}: ${styleWords(was, is, props, at, clean)}`;
  return [{ element, kind: 'style', props, words, isReclassed: was.classes !== is.classes }];
}

const isSvg = (element: Element): boolean => 'ownerSVGElement' in element;

export function textWords(was: string, is: string, clean: Clean): string {
  const [from, to] = [was, is].map((text) => short(clean(text), TEXT_LIMIT));
  if (from === '') return `text: ${to}`;
  return to === '' ? `text gone: ${from}` : `text: ${from} → ${to}`;
}

export function kindAndName(element: Element, clean: Clean): string {
  const name = cutText(clean(fullNameOf(element)), NAME_LIMIT);
  return [roleOf(element), name].filter((part) => part !== '').join(' ') || element.localName;
}

function valueWords(element: Element, was: string, is: string, clean: Clean): string {
  const name = kindAndName(element, clean);
  if (element.localName === 'img') return `${labelOf(element, clean)}: another picture`;
  const [from, to] = [was, is].map((text) => cutText(tidy(text), LABEL_LIMIT));
  const isState = /^(?:un)?checked$|^mixed$|^playing|^paused/.test(is);
  return isState ? `${name}: ${to}` : `${name} ${from || '(empty)'} → ${to || '(empty)'}`;
}

/** A class says more than the colours that it brings. */
function styleWords(
  was: Look,
  is: Look,
  props: readonly string[],
  at: readonly number[],
  clean: Clean,
): string {
  const [old, now] = [was, is].map(({ classes }) => classes.split(/\s+/).filter(Boolean));
  const gained = now?.filter((name) => !old?.includes(name)) ?? [];
  const lost = old?.filter((name) => !now?.includes(name)) ?? [];
  const names = [...new Set(props)].slice(0, 3).join(', ');
  const telling = (classes: readonly string[]) =>
    cutText(clean(classes.filter((name) => TELLING.test(name)).join(' ')), LABEL_LIMIT);
  if (telling(gained) !== '') return `${telling(gained)} (${names})`;
  if (telling(lost) !== '' && gained.length === 0) return `no longer ${telling(lost)} (${names})`;
  const [first] = at;
  const [from, to] = [was, is].map(({ paint }) =>
    first === undefined || first >= PAINTED.length ? '' : hexOf(paint[first] ?? ''),
  );
  const [name, ...others] = names.split(', ');
  if (to === '' || to === undefined || to.length > LABEL_LIMIT) return names;
  const change =
    from === '' || from === undefined || from.length + to.length > LABEL_LIMIT ? to : `${from} → ${to}`;
  return [`${name} ${change}`, ...others].join(', ');
}

/** `#3a9d5d` for an opaque colour, `none` for a transparent one. */
function hexOf(value: string): string {
  const [, red, green, blue, alpha] = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(value) ?? [];
  if (alpha === '0') return 'none';
  if (red === undefined || alpha !== undefined) return value;
  return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** A class of a word says something to a reader, one of a letter or a hash does not. */
const TELLING = /^[a-z]{2,}(?:[-_]+[a-z]+)*$/;

function moveOf(was: Look, element: Element, is: Look, clean: Clean): VisibleChange | undefined {
  if (was.size === is.size && was.place === is.place) return undefined;
  const words = `${labelOf(element, clean)}: ${was.size === is.size ? 'moved' : 'other size'}`;
  return { element, kind: 'place', words };
}

/** Texts that are the same as before, in another order from top to bottom or from left to right. */
function reordered(
  pairs: readonly Pair[],
  before: Appearance,
  after: Appearance,
  clean: Clean,
): VisibleChange[] {
  const placed = pairs.flatMap(([was, element, is]) =>
    /\p{L}/u.test(is.text) && is.text === was.text && !is.isSecret && !was.isSecret
      ? { element, text: is.text, was: pointOf(was, before), is: pointOf(is, after) }
      : [],
  );
  for (const [along, across] of [
    [1, 0],
    [0, 1],
  ] as const) {
    const lines = new Map<string, typeof placed>();
    for (const each of placed) {
      if (each.was[across] !== each.is[across]) continue;
      const line = `${each.is[across]} ${each.element.localName}`;
      lines.set(line, [...(lines.get(line) ?? []), each]);
    }
    for (const line of lines.values()) {
      const old = line.toSorted((one, two) => one.was[along] - two.was[along]);
      const now = line.toSorted((one, two) => one.is[along] - two.is[along]);
      const stayed = longestRise(now.map((each) => old.indexOf(each)));
      const moved = now.findIndex((_, at) => !stayed.has(at));
      if (moved < 0) continue;
      const first = Math.max(0, Math.min(moved - 1, now.length - MOST_ORDERED));
      const texts = now
        .slice(first, first + MOST_ORDERED)
        .map(({ text }) => cutText(tidy(clean(text)), ORDER_LIMIT));
      if (first > 0) texts.unshift('…');
      if (first + MOST_ORDERED < now.length) texts.push('…');
      const { element } = now[moved] ?? line[0] ?? {};
      if (element !== undefined) return [{ element, kind: 'text', words: `order: ${texts.join(', ')}` }];
    }
  }
  return [];
}

const MOST_ORDERED = 6;
const ORDER_LIMIT = 24;

/** Left and top within the page's content, whatever is scrolled. */
function pointOf(look: Look, looks: Appearance): readonly [left: number, top: number] {
  let [left, top] = [0, 0];
  for (let each: Look | undefined = look; each !== undefined; each = each.parent && looks.get(each.parent)) {
    const [x = 0, y = 0] = each.place.split(',').map(Number);
    left += x;
    top += y;
  }
  return [left, top];
}

/** Places of the longest rising subsequence. */
function longestRise(values: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, value] of values.entries()) {
    const found = ends.findIndex((end) => (values[end] ?? 0) >= value);
    const length = found < 0 ? ends.length : found;
    before[at] = ends[length - 1];
    ends[length] = at;
  }
  const rise = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before[at]) rise.add(at);
  return rise;
}

const outermost = (elements: readonly Element[], looks: Appearance): Element[] => {
  const all = new Set(elements);
  return elements.filter((element) => {
    const parent = looks.get(element)?.parent;
    return parent === undefined || !all.has(parent);
  });
};

/**
 * The words of an element that came or went; undefined where all of them stay, drawn again elsewhere. Taken from the
 * look, because a removed element may have been emptied.
 */
function wordsWithin(
  element: Element,
  looks: Appearance,
  changed: ReadonlySet<Element>,
  clean: Clean,
): string | undefined {
  const texts: string[] = [];
  let [length, kept] = [0, 0];
  for (const [inner, { text, held, isSecret }] of looks) {
    if (length > TEXT_LIMIT) break;
    const shown = isSecret ? '' : text || ('value' in inner ? held : '');
    if (shown === '' || !(inner === element || element.contains(inner))) continue;
    if (!changed.has(inner)) {
      kept++;
      continue;
    }
    texts.push(shown);
    length += shown.length;
  }
  if (texts.length === 0 && kept > 0) return undefined;
  return short(tidy(clean(texts.join(' '))), TEXT_LIMIT) || labelOf(element, clean);
}

/** A text that is cut says so. */
const short = (text: string, limit: number): string =>
  text.length > limit ? `${cutText(text, limit - 1)}…` : text;

/** Names an element for a reader: by its text, else by its kind. */
export function labelOf(element: Element, clean: Clean): string {
  const given = element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? '';
  return cutText(tidy(clean(given || textIn(element, LABEL_LIMIT * 2))), LABEL_LIMIT) || element.localName;
}
