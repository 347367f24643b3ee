import { attributeOf, controlsOf, defaultButtonOf, isSender, nearest, SENDER } from './forms.ts';
import type { Manner } from './purpose.ts';

/** A form that a call would send by another way than GET. */
export interface FormSubmit {
  /** The origin that would get it. */
  readonly to: string;
  /** Method, address and field names: the same for the same form. */
  readonly what: string;
}

/** Fields in which Enter sends the form: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission */
const ENTERED =
  'input:not([type=button], [type=submit], [type=reset], [type=image], [type=file], [type=color], [type=range])';
const BLOCKS_IMPLICIT =
  'input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], [type=color], [type=range], [type=hidden])';
const MOST_NAMES = 64;
const MOST_CHARS = 2_000;

export interface Submitting {
  readonly element: Element;
  readonly form: Element | undefined;
  /** The page itself sends on a change of this element. */
  readonly changeSends: boolean;
}

export function formSubmitOf(by: Manner, act: Submitting): FormSubmit | undefined {
  const sender = senderOf(by, act);
  const form = act.form ?? (sender === undefined ? undefined : nearest(sender, 'form'));
  if (form === undefined || form.localName !== 'form') return undefined;
  if (sender === undefined && !act.changeSends && !sendsAlone(by, act.element, form)) return undefined;
  const method = (attributeOf(sender, 'formmethod') ?? attributeOf(form, 'method') ?? 'get').toLowerCase();
  if (method !== 'post') return undefined;
  const address = attributeOf(sender, 'formaction') || attributeOf(form, 'action') || form.ownerDocument.URL;
  const url = URL.canParse(address, form.ownerDocument.baseURI)
    ? new URL(address, form.ownerDocument.baseURI)
    : undefined;
  const names = new Set(
    controlsOf(form).map((control) => (attributeOf(control, 'name') ?? '').replace(/\d+/g, '#')),
  );
  const fields = [...names].sort().slice(0, MOST_NAMES).join(',');
  const place = url === undefined ? address : `${url.origin}${url.pathname}${url.search}`;
  return { to: url?.origin ?? 'null', what: `${method} ${place} ${fields}`.slice(0, MOST_CHARS) };
}

/** The button that would send it: the one pressed, or the one that Enter in a field presses. */
function senderOf(by: Manner, { element, form }: Submitting): Element | undefined {
  if (by === 'press' || by === 'space' || by === 'enter') {
    const pressed = isSender(element) ? element : nearest(element, SENDER);
    if (pressed !== undefined) return pressed;
  }
  return isEntered(by, element) && form !== undefined ? defaultButtonOf(form) : undefined;
}

const isEntered = (by: Manner, element: Element): boolean =>
  (by === 'enter' || by === 'lines') && element.matches(ENTERED);

/** Without a button, Enter in the only field of a form sends it. */
function sendsAlone(by: Manner, element: Element, form: Element): boolean {
  if (!isEntered(by, element)) return false;
  return controlsOf(form).filter((control) => control.matches(BLOCKS_IMPLICIT)).length <= 1;
}
