import { isField, isFilled, isInput, isSecretField, visibleValueOf } from '../secrets/secret-field.ts';
import { hexOf } from './colour.ts';
import { cutText, textIn, tidy } from './text.ts';
import { styleOf } from './walk-cache.ts';

/** Enough to recognize a value; `read` returns long text. */
const VALUE_LIMIT = 80;

/** The states of V3, in output order, with their tests. */
const STATES = [
  ['disabled', ':disabled, [aria-disabled=true]'],
  ['checked', 'input:checked:not(:indeterminate), :not([type=checkbox], [type=radio])[aria-checked=true]'],
  ['mixed', '[type=checkbox]:indeterminate, [aria-checked=mixed]'],
  ['pressed', '[aria-pressed=true], [aria-pressed=mixed]'],
  ['selected', '[aria-selected=true]'],
  ['expanded', '[aria-expanded=true], [open] > summary'],
  ['invalid', '[aria-invalid=true], [aria-invalid=grammar], [aria-invalid=spelling]'],
  ['readonly', 'input[readonly], textarea[readonly]'],
] as const;

/** Further states of the view form. */
const VIEW_STATES = [
  ['required', ':required, [aria-required=true]'],
  ['readonly', ':not(input, textarea)[aria-readonly=true]'],
  ['invalid', ':user-invalid:not([aria-invalid])'],
  ['collapsed', '[aria-expanded=false], details:not([open]) > summary:first-of-type'],
  ['current', '[aria-current]:not([aria-current=false], [aria-current=""])'],
  ['multiple', 'select[multiple], [aria-multiselectable=true]'],
  ['draggable', '[draggable=true]'],
] as const;
/** A class that looks like a state is a guess. */
const STATE_CLASS =
  /^(?:is-|has-|state-|mat-|ui-)?(selected|active|checked|current|disabled|pressed|expanded|collapsed|completed|done|open|on)$/i;

/** All states for a view: those of V3, the further ones, and those that classes suggest (`~selected`). */
export function viewStatesOf(element: Element): string | undefined {
  const states = (stateOf(element) ?? '').split(',').filter(Boolean);
  for (const [state, selector] of VIEW_STATES)
    if (!states.includes(state) && element.matches(selector)) states.push(state);
  for (const token of element.classList) {
    const state = STATE_CLASS.exec(token)?.[1]?.toLowerCase();
    if (state !== undefined && !states.includes(state)) states.push(`~${state}`);
  }
  if (isCutOff(element) && !states.some((state) => state.endsWith('disabled'))) states.push('~disabled');
  const mark = markOf(element, states.length > 0);
  if (
    mark !== undefined &&
    !(mark === 'marked' && states.some((state) => state.startsWith('~'))) &&
    !states.some((state) => state.endsWith(mark))
  )
    states.push(`~${mark}`);
  const colour = states.length === 0 && textIn(element) !== '' ? colourOf(element) : undefined;
  if (colour !== undefined) states.push(`~${colour}`);
  return states.length > 0 ? states.join(',') : undefined;
}

const CONTROL = 'button, input, select, textarea, a[href], [role=button]';

/** No pointer reaches it, or its cursor says that it takes none. */
function isCutOff(element: Element): boolean {
  if (!element.matches(CONTROL)) return false;
  const { pointerEvents, cursor } = styleOf(element);
  return pointerEvents === 'none' || cursor === 'not-allowed';
}

/** Fewer neighbours of one kind do not show what is usual among them. */
const FEWEST_ALIKE = 3;
const MOST_ALIKE = 60;
/** A shorter class says nothing: then the mark is how it shows. */
const SHORTEST_MARK = 3;
const SHOWN_BY = ['backgroundColor', 'color', 'borderTopColor', 'outlineStyle', 'fontWeight'] as const;

/** The class by which an element differs, visibly, from neighbours of its kind: `q` of `day q` beside `day`. */
function markOf(element: Element, isExplained: boolean): string | undefined {
  const [kind] = element.classList;
  if (kind !== undefined && element.classList.length === 1)
    return isExplained ? undefined : oddOneOut(element, kind);
  const extra = element.classList.item(1);
  if (kind === undefined || extra === null || element.classList.length > 3 || element.parentElement === null)
    return undefined;
  const { children } = element.parentElement;
  if (children.length < FEWEST_ALIKE || children.length > MOST_ALIKE) return undefined;
  const alike = [...children].filter((each) => each.classList[0] === kind);
  const plain = alike.find((each) => each.classList.length === 1);
  if (alike.length < FEWEST_ALIKE || plain === undefined) return undefined;
  const [own, usual] = [styleOf(element), styleOf(plain)];
  return SHOWN_BY.some((property) => own[property] !== usual[property]) || isDrawnApart(element, plain)
    ? wordOf(extra, own, usual)
    : undefined;
}

/** A lever that a style draws at another place. */
const isDrawnApart = (element: Element, usual: Element): boolean =>
  ['::before', '::after'].some((pseudo) => {
    const [own, other] = [element, usual].map((each) => getComputedStyle(each, pseudo));
    return DRAWN_BY.some((property) => own?.[property] !== other?.[property]);
  });
const DRAWN_BY = ['content', 'top', 'left', 'backgroundColor', 'transform'] as const;

function wordOf(name: string, own: CSSStyleDeclaration, usual: CSSStyleDeclaration): string {
  if (name.length >= SHORTEST_MARK) return name;
  return Number(own.fontWeight) > Number(usual.fontWeight) ? 'bold' : 'marked';
}

/** Tiles without another state whose colours differ, as seats do. */
function colourOf(element: Element): string | undefined {
  const { children } = element.parentElement ?? {};
  if (children === undefined || children.length < FEWEST_ALIKE || children.length > MOST_ALIKE)
    return undefined;
  const isTile = (each: Element) =>
    each.localName === element.localName && each.classList[0] === element.classList[0];
  if (element.matches(NATIVE) || (element.textContent?.length ?? 0) > LONGEST_TILE) return undefined;
  const colours = [...children].filter(isTile).map((each) => hexOf(styleOf(each).backgroundColor));
  const own = hexOf(styleOf(element).backgroundColor);
  return colours.length < FEWEST_ALIKE || new Set(colours).size < 2 || own === '' ? undefined : own;
}

const NATIVE = 'button, input, select, textarea, a[href], label, li';
const LONGEST_TILE = 12;

/** Neighbours, or for the only element of a cell those in the other cells: the days of a month. */
function alikeTo(element: Element): readonly Element[] {
  const cell = element.parentElement;
  if (cell?.localName !== 'td' || cell.childElementCount > 1) return [...(cell?.children ?? [])];
  return [
    ...(cell.closest('table')?.querySelectorAll(`td > ${CSS.escape(element.localName)}:only-child`) ?? []),
  ];
}

/** The class of a few among neighbours of its tag that have no other, and look otherwise: a tab `a` beside plain ones. */
function oddOneOut(element: Element, name: string): string | undefined {
  const others = alikeTo(element).filter((each) => each !== element);
  if (others.length + 1 < FEWEST_ALIKE || others.length >= MOST_ALIKE) return undefined;
  const plain = others.filter(({ classList }) => classList.length === 0);
  const [usualOne] = plain;
  const isUsual = plain.length * 2 > others.length;
  const isOfKind = (each: Element) => each.localName === element.localName && each.classList.length <= 1;
  if (usualOne === undefined || !isUsual || !others.every(isOfKind)) return undefined;
  const [own, usual] = [styleOf(element), styleOf(usualOne)];
  if (!SHOWN_BY.some((property) => own[property] !== usual[property])) return undefined;
  return wordOf(name, own, usual);
}

/** `0–10` for a slider or number with limits. */
export function limitsOf(element: Element): string | undefined {
  const isNative = isInput(element) && /^(?:range|number|date|time)$/.test(element.type);
  const given = (own: string, aria: string) => element.getAttribute(isNative ? own : aria) ?? '';
  const isRange = isInput(element) && element.type === 'range';
  const min = given('min', 'aria-valuemin') || (isRange ? '0' : '');
  const max = given('max', 'aria-valuemax') || (isRange ? '100' : '');
  return min === '' && max === '' ? undefined : `${min}–${max}`;
}

/** `disabled,checked`: in a fixed order; undefined when there are none. */
export function stateOf(element: Element): string | undefined {
  const states: string[] = STATES.flatMap(([state, selector]) => (element.matches(selector) ? state : []));
  if (isSecretField(element) && isFilled(element)) states.push('filled');
  return states.length > 0 ? states.join(',') : undefined;
}

/** The field's value as it is, spaces and line breaks included, unless it is secret. */
export function exactValueOf(element: Element): string | undefined {
  const value =
    isInput(element) && element.type === 'file'
      ? fileNames(element)
      : (visibleValueOf(element) ?? ariaValue(element));
  return value === '' ? undefined : value;
}

/** The same on one line, cut. */
export function shownValueOf(element: Element): string | undefined {
  const text = tidy(exactValueOf(element) ?? '');
  if (text === '') return undefined;
  return text.length > VALUE_LIMIT ? `${cutText(text, VALUE_LIMIT - 1)}…` : text;
}

/** A custom slider has its value in attributes; a native field does not. */
function ariaValue(element: Element): string | undefined {
  if (isField(element)) return undefined;
  return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? undefined;
}

function fileNames(input: HTMLInputElement): string {
  return [...(input.files ?? [])].map((file) => file.name).join(', ');
}
