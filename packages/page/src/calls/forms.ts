import { isSecretField } from '../secrets/secret-field.ts';
import { isElement, nodeFact } from './find-target.ts';

const FIELDS = 'input, textarea, select, [contenteditable]';
export const SENDER = 'button:not([type=button], [type=reset]), [type=submit], [type=image]';
/** Pages without forms place a button near the fields that it sends. */
const NEAR_ANCESTORS = 6;

export const isSender = (element: Element): boolean => element.matches(SENDER);

/** The nearest matching ancestor, across shadow roots. */
export function nearest(element: Element, selector: string): Element | undefined {
  for (let from: Element | undefined = element; from !== undefined; from = hostOf(from)) {
    const found: Element | null = Element.prototype.closest.call(from, selector);
    if (found !== null) return found;
  }
  return undefined;
}

function hostOf(element: Element): Element | undefined {
  const host: unknown = Reflect.get(Node.prototype.getRootNode.call(element), 'host');
  return isElement(host) ? host : undefined;
}

export function formOf(element: Element): Element | undefined {
  const owner: unknown = Reflect.get(element, 'form');
  return isElement(owner) ? owner : nearest(element, 'form');
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#default-button */
export function defaultButtonOf(form: Element): Element | undefined {
  return [...controlsOf(form), ...allIn(form, '[type=image]')].find(isSender);
}

/** CSRF tokens are in most forms and are not a person's secret. */
const isHidden = (field: Element): boolean => field.matches('input[type=hidden]');

export const holdsSecret = (place: Element): boolean =>
  [...allIn(place, FIELDS), ...controlsOf(place)].some((field) => !isHidden(field) && isSecretField(field));

/**
 * A field named `getAttribute` shadows the form's method:
 * https://portswigger.net/web-security/dom-based/dom-clobbering
 */
export function attributeOf(element: Element | undefined, name: string): string | undefined {
  return element === undefined
    ? undefined
    : (Element.prototype.getAttribute.call(element, name) ?? undefined);
}

export const isForm = (element: Element): element is HTMLFormElement =>
  Element.prototype.matches.call(element, 'form');

export const documentOf = (element: Element): Document => trustDocument(nodeFact(element, 'ownerDocument'));

function trustDocument(document: unknown): Document {
  return document as Document;
}

const allIn = (place: Element, selector: string): Iterable<Element> =>
  Element.prototype.querySelectorAll.call(place, selector);

/** Includes controls outside the form that reference it. */
export function controlsOf(form: Element): Element[] {
  const own = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')?.get;
  const controls: unknown = isForm(form) ? own?.call(form) : undefined;
  return controls instanceof Object && Symbol.iterator in controls ? parseControls(controls) : [];
}

function parseControls(controls: object): Element[] {
  return Array.from(controls as Iterable<unknown>).filter(isElement);
}

/** The area around an element without a form that asks for a secret. */
export function sensitiveFormAround(
  element: Element,
  isLoose: (page: Element) => boolean,
): Element | undefined {
  let outer = parentOf(element);
  for (let depth = 0; outer !== undefined && depth < NEAR_ANCESTORS; depth++) {
    if (isWholePage(outer)) return isLoose(outer) ? outer : undefined;
    if (holdsSecret(outer)) return outer;
    outer = parentOf(outer);
  }
  return undefined;
}

const parentOf = (element: Element): Element | undefined => element.parentElement ?? hostOf(element);

export const isWholePage = (element: Element): boolean => element.matches('html, body');

/**
 * A menu or cookie banner at the top of a page does not send a form in its middle. Matched by tag and own
 * attributes: every press runs this, and a selector over a whole page would take longer than the press.
 */
export function holdsLooseSecret(page: Element): boolean {
  for (const tag of ['input', 'textarea', 'select']) {
    for (const field of page.getElementsByTagName(tag))
      if (Reflect.get(field, 'form') === null && isSecretField(field)) return true;
  }
  const editors = [...page.querySelectorAll('[contenteditable]')];
  return editors.some((editor) => formOf(editor) === undefined && isSecretField(editor));
}
