import { nameOf } from '@drawbridge/page';
import { amountLines } from './amounts.ts';
import { innerText } from './fingerprint.ts';
import { attributeOf, controlsOf, defaultButtonOf, isSender, nearest, SENDER } from './forms.ts';
import type { Manner } from './purpose.ts';

/** A form that a call would send with a method other than GET. */
export interface FormSubmit {
  /** The receiving origin. */
  readonly to: string;
  /** Method, address, field names, fixed values and amounts: equal for the same form. */
  readonly what: string;
}

/** Fields in which Enter sends the form: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission */
const ENTERED =
  'input:not([type=button], [type=submit], [type=reset], [type=image], [type=file], [type=color], [type=range])';
const BLOCKS_IMPLICIT =
  'input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], [type=color], [type=range], [type=hidden])';
const MOST_CHARS = 50_000;
/** Names of one-time values, which differ on every page and are ignored. */
const ONE_TIME =
  /csrf|xsrf|token|nonce|authenticity|viewstate|eventvalidation|captcha|honeypot|timestamp|form_build_id|request_?id|session/i;

export interface Submitting {
  readonly element: Element;
  readonly form: Element | undefined;
  /** The page itself submits on a change of this element. */
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
  const place = url === undefined ? address : `${url.origin}${url.pathname}${url.search}`;
  const parts = [method, place, ...fieldsOf(form, sender), ...amountLines(innerText(form))];
  return { to: url?.origin ?? 'null', what: capped(parts.join('\n')) };
}

/** Typed values may differ: filling in is the purpose of a form. */
function fieldsOf(form: Element, sender: Element | undefined): string[] {
  const fields = controlsOf(form)
    .filter((control) => control === sender || !control.matches(BUTTON))
    .map((control) => {
      const name = withoutNumbers(attributeOf(control, 'name') ?? '');
      // A button's text may change while it is being pressed.
      const isWorded = !control.matches(`[type=hidden], ${BUTTON}`);
      const label = isWorded ? withoutNumbers(nameOf(control)) : '';
      return JSON.stringify([name, label, fixedValue(control, name)]);
    });
  return [...new Set(fields)].sort();
}

const BUTTON =
  'button, output, fieldset, object, input:is([type=button], [type=submit], [type=reset], [type=image])';

const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#');

function fixedValue(control: Element, name: string): string {
  if (control.matches(BUTTON)) return attributeOf(control, 'value') ?? '';
  const isFixed = control.matches('input:is([type=hidden], [readonly]), textarea[readonly]');
  return isFixed && !ONE_TIME.test(name) ? String(Reflect.get(control, 'value') ?? '') : '';
}

/** Represents the rest by its length and a checksum. */
function capped(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  let sum = 0x811c9dc5;
  for (let at = MOST_CHARS; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return `${text.slice(0, MOST_CHARS)} ${text.length} ${sum >>> 0}`;
}

/** The submitting button: the pressed one, or the default button for Enter in a field. */
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
