import { isField, isFilled, isInput, isSecretField, visibleValueOf } from '../secrets/secret-field.ts';
import { cutText, tidy } from './text.ts';
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
  if (mark !== undefined && !states.some((state) => state.endsWith(mark))) states.push(`~${mark}`);
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
/** A shorter class says nothing. */
const SHORTEST_MARK = 2;
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
  return SHOWN_BY.some((property) => own[property] !== usual[property]) ? extra : undefined;
}

/** The class of a few among neighbours of its tag that have no other, and look otherwise: a tab `a` beside plain ones. */
function oddOneOut(element: Element, name: string): string | undefined {
  const { children } = element.parentElement ?? {};
  if (children === undefined || children.length < FEWEST_ALIKE || children.length > MOST_ALIKE)
    return undefined;
  const others = [...children].filter((each) => each !== element);
  const plain = others.filter(({ classList }) => classList.length === 0);
  const [usualOne] = plain;
  const isUsual = plain.length * 2 > others.length;
  const isOfKind = (each: Element) =>
    each.localName === element.localName && (each.classList.length === 0 || each.className.trim() === name);
  if (usualOne === undefined || !isUsual || !others.every(isOfKind)) return undefined;
  const [own, usual] = [styleOf(element), styleOf(usualOne)];
  if (!SHOWN_BY.some((property) => own[property] !== usual[property])) return undefined;
  return name.length < SHORTEST_MARK ? 'marked' : name;
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
