import { withoutNumbers } from '../heal/match.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { amountLines, isAmount, isTotal } from './amounts.ts';
import type { Manner } from './element-context.ts';
import { drawnText, innerText, surroundingsOf } from './fingerprint.ts';
import {
  attributeOf,
  controlsOf,
  defaultButtonOf,
  documentOf,
  isForm,
  isSender,
  nearest,
  SENDER,
} from './forms.ts';

/** A form that a call would send with a method other than GET. */
export interface FormSubmit {
  /** The receiving origin. */
  readonly to: string;
  /** Method, address, names of fields, what a person cannot change, amounts and who gets them: the same for the same form. */
  readonly what: string;
  /** A field of it names money or who gets it. */
  readonly weighty: boolean;
  /** Headings over it, and the words of its address. */
  readonly texts: readonly string[];
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
  if (form === undefined || !isForm(form)) return undefined;
  if (sender === undefined && !act.changeSends && !sendsAlone(by, act.element, form)) return undefined;
  const method = (attributeOf(sender, 'formmethod') ?? attributeOf(form, 'method') ?? 'get').toLowerCase();
  if (method !== 'post') return undefined;
  const address = attributeOf(sender, 'formaction') || attributeOf(form, 'action') || documentOf(form).URL;
  const url = URL.canParse(address, documentOf(form).baseURI)
    ? new URL(address, documentOf(form).baseURI)
    : undefined;
  const destination = url === undefined ? address : `${url.origin}${url.pathname}${url.search}`;
  const totals = amountLines(drawnText(surroundingsOf(sender ?? act.element, form))).filter(isTotal);
  const amounts = new Set([...amountLines(innerText(form)), ...totals]);
  const parts = [method, destination, ...fieldsOf(form, sender), ...amounts];
  return {
    to: url?.origin ?? 'null',
    what: capped(parts.join('\n')),
    weighty: controlsOf(form).some((control) => !control.matches(FIXED) && isWeighty(control)),
    texts: [...headingsOver(form), (url?.pathname ?? address).replace(/[^\p{L}]+/gu, ' ')],
  };
}

const FIXED = 'input:is([type=hidden], [readonly]), textarea[readonly]';
/** Money and who gets it. Addresses and mail are mostly the person's own. */
const WEIGHTY =
  /\bpay(?:ee|_?to)\b|recipient|beneficiary|receiver|\bto\b|amount|\btotal|\bsum\b|price|\biban\b|\bbic\b|swift|\baccount\b|sort.?code|wallet|transaction-|\btip\b|donat|empf[äa]nger|betrag|\bkonto|ontvanger|bedrag|rekening|destinat|b[ée]n[ée]ficiaire|montant|\bcompte\b|importe|cuenta|importo|\bvalor\b|odbiorca|kwota|получател|сумм|сч[её]т|金額|金额|口座|宛先|收款|账户|금액|계좌/iu;

export const namesWeight = (name: string): boolean =>
  WEIGHTY.test(name.replace(/([a-z])([A-Z])|_/g, '$1 $2'));

/** One-time values, which differ on every page. */
export const namesOneTime = (name: string): boolean => ONE_TIME.test(name);

export function isWeighty(control: Element): boolean {
  if (control.matches(BUTTON)) return false;
  const names = ['name', 'id', 'autocomplete', 'placeholder'].map((name) => attributeOf(control, name) ?? '');
  return (
    namesWeight([...names, nameOf(control)].join(' ')) ||
    (control.localName === 'input' && isAmount(writtenIn(control)))
  );
}

function writtenIn(control: Element): string {
  const isTicked = control.matches('[type=checkbox], [type=radio]');
  return isTicked && Reflect.get(control, 'checked') !== true
    ? ''
    : String(Reflect.get(control, 'value') ?? '');
}

const HEADINGS = 'h1, h2, h3, h4, h5, h6, legend, [role=heading]';
const MOST_HEADINGS = 20;

/** Headings of its dialog and inside it; else the last heading before it. */
function headingsOver(form: Element): string[] {
  const dialog = nearest(form, 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]');
  const inside = [...Element.prototype.querySelectorAll.call(dialog ?? form, HEADINGS)];
  const before = [...documentOf(form).querySelectorAll(HEADINGS)].filter(
    (heading) =>
      Node.prototype.compareDocumentPosition.call(heading, form) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const over = inside.length > 0 ? inside : before.slice(-1);
  return [...(dialog === undefined ? [] : [nameOf(dialog)]), ...over.slice(0, MOST_HEADINGS).map(innerText)];
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

function fixedValue(control: Element, name: string): string {
  if (control.matches(BUTTON)) return attributeOf(control, 'value') ?? '';
  const isKept = (control.matches(FIXED) && !ONE_TIME.test(name)) || isWeighty(control);
  return isKept ? writtenIn(control) : '';
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
  return isEnteredInText(by, element) && form !== undefined ? defaultButtonOf(form) : undefined;
}

const isEnteredInText = (by: Manner, element: Element): boolean =>
  (by === 'enter' || by === 'lines') && element.matches(ENTERED);

/** Without a button, Enter in the only field of a form sends it. */
function sendsAlone(by: Manner, element: Element, form: Element): boolean {
  if (!isEnteredInText(by, element)) return false;
  return controlsOf(form).filter((control) => control.matches(BLOCKS_IMPLICIT)).length <= 1;
}
