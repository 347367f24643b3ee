import { nameOf } from '../perceive/accessible-name.ts';
import { isVisible } from '../perceive/visibility.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import { amountLines, goodsLines } from './amounts.ts';
import { isElement } from './find-target.ts';
import { customEntriesOf } from './form-entries.ts';
import { defaultButtonOf, documentOf, isForm, isSender, nearest } from './forms.ts';
import { quoted } from './generated-text.ts';

/** Content that a press would send, with the text around it. An approval covers exactly this version. */
export interface AskedContent {
  /** Destination of a form or link; absent when only a script knows it. */
  readonly url?: string;
  readonly method?: string;
  readonly fields: readonly AskedField[];
  /** Lines with an amount of money, totals first. */
  readonly amounts: readonly string[];
  /** Lines of the whole page that say how many of what; only where there is an amount. */
  readonly goods?: readonly string[];
  /** Rendered text of its form, dialog or section. */
  readonly text: string;
}

export interface AskedField {
  readonly name: string;
  /** Masked for a secret. */
  readonly value: string;
  /** A random token per value of a secret in this document; a different token means a different value. */
  readonly token?: string;
  /** Visible to a person. */
  readonly shown: boolean;
  /** Sent with the form, and not visible. */
  readonly hidden?: true;
}

const AROUND =
  'dialog, [role=dialog], [role=alertdialog], [popover], section, article, main, [role=region], [role=main]';
const FIELDS = 'input, textarea, select';
const BUTTONS = 'button, input:is([type=submit], [type=image], [type=button], [type=reset])';
/** A shorter page without sections is read as a whole. */
const SHORT_PAGE_CHARS = 20_000;
const MAX_TEXT_CHARS = 100_000;
const MAX_VALUE_CHARS = 2_000;
const MAX_FIELDS = 200;
/** As much of a long text as a question shows. */
const SHOWN_END_CHARS = 200;

export function contentOf(pressed: Element, form: Element | undefined, isEntered: boolean): AskedContent {
  const sender = form !== undefined && isEntered ? defaultButtonOf(form) : pressed;
  const place = surroundingsOf(pressed, form);
  const text = drawnText(place);
  const page = documentOf(pressed).body;
  const whole = place === page ? text : drawnText(page);
  const near = amountLines(text);
  const amounts = near.length > 0 ? near : amountLines(whole);
  const goods = amounts.length > 0 ? goodsLines(whole) : [];
  return {
    ...destinationOf(pressed, form, sender),
    fields: limited([...fieldsOf(place, form, sender), ...statesIn(place), ...customFieldsOf(form, sender)]),
    amounts,
    ...(goods.length > 0 && { goods }),
    text: capped(text, MAX_TEXT_CHARS),
  };
}

/** From the form outwards: totals mostly stand beside it. */
export function surroundingsOf(pressed: Element, form: Element | undefined): Element {
  const place = nearest(form ?? pressed, AROUND);
  if (place !== undefined) return place;
  const page = documentOf(pressed).body;
  if (drawnText(page).length <= SHORT_PAGE_CHARS) return page;
  return form ?? nearest(pressed, 'fieldset, [role=group], li, tr') ?? pressed.parentElement ?? pressed;
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm */
export function destinationOf(
  pressed: Element,
  form: Element | undefined,
  sender: Element | undefined,
): Pick<AskedContent, 'url' | 'method'> {
  const link = nearest(pressed, 'a[href], area[href]');
  if (link !== undefined) return resolved(attribute(link, 'href') ?? '', link);
  if (form === undefined || !isForm(form)) return {};
  const ofSender = (name: string) =>
    sender !== undefined && isSender(sender) ? attribute(sender, name) : null;
  const method = (ofSender('formmethod') ?? attribute(form, 'method') ?? 'get').toLowerCase();
  const action = ofSender('formaction') ?? attribute(form, 'action') ?? '';
  if (method === 'dialog') return { method };
  const how = ['enctype', 'target'].map((name) => ofSender(`form${name}`) ?? attribute(form, name) ?? '');
  return { ...resolved(action, form), method: [method, ...how].filter((each) => each !== '').join(' ') };
}

function resolved(address: string, element: Element): Pick<AskedContent, 'url'> {
  const ownerDocument = documentOf(element);
  const base = address.trim() === '' ? ownerDocument.URL : ownerDocument.baseURI;
  return { url: URL.canParse(address, base) ? new URL(address, base).href : address };
}

/** Fields that are sent; disabled ones are not. A script may also send fields beside the form. */
function fieldsOf(place: Element, form: Element | undefined, sender: Element | undefined): AskedField[] {
  const near = [...place.querySelectorAll(FIELDS), ...editorsIn(place)];
  const own = form === undefined ? near : [...controlsOf(form), ...editorsIn(form)];
  const isSent = (each: Element) => !each.matches(':disabled') && (each === sender || !each.matches(BUTTONS));
  const beside = near.filter((each) => !own.includes(each) && isSent(each));
  return [...own.filter(isSent).map(fieldOf), ...beside.map(besideForm)];
}

function besideForm(field: Element): AskedField {
  const { hidden: _, ...told } = fieldOf(field);
  return { ...told, shown: false };
}

const EDITOR = '[contenteditable]:not([contenteditable=false i])';

/** The outermost ones: an editor may hold others. */
const editorsIn = (place: Element): Element[] =>
  [...Reflect.apply(Element.prototype.querySelectorAll, place, [EDITOR])]
    .filter(isElement)
    .filter((each) => each.parentElement?.closest(EDITOR) == null);

/** Choices outside of fields, such as a selected option of a custom list. */
function statesIn(place: Element): AskedField[] {
  return [...place.querySelectorAll(CHOSEN)].map((each) => {
    const states = STATES.map((name) => attribute(each, name)).filter((state) => state !== null);
    return { name: nameOf(each), value: states.join(' '), shown: false };
  });
}

const STATES = ['aria-selected', 'aria-checked', 'aria-pressed'];
/** Excludes tabs and slides, which change by themselves. */
const CHOSEN =
  '[aria-selected=true]:not([role=tab]), [aria-checked]:not([aria-checked=false]), [aria-pressed]:not([aria-pressed=false])';

function customFieldsOf(form: Element | undefined, sender: Element | undefined): AskedField[] {
  if (form === undefined) return [];
  return customEntriesOf(form, sender).map(({ element, name, value }) => {
    const shown = element !== undefined && isVisible(element);
    const isSecret = SECRET_NAME.test(name) || (element !== undefined && isSecretField(element));
    if (isSecret) return { name, value: value === '' ? '' : '•••', token: tokenOf(value), shown };
    return { name, value: capped(value, MAX_VALUE_CHARS), shown };
  });
}

const SECRET_NAME = /pass|pin\b|code|cvc|cvv|card|secret|token|key/i;

function limited(fields: AskedField[]): AskedField[] {
  if (fields.length <= MAX_FIELDS) return fields;
  const rest = JSON.stringify(fields.slice(MAX_FIELDS));
  return [...fields.slice(0, MAX_FIELDS), { name: 'other fields', value: capped(rest, 0), shown: false }];
}

function fieldOf(field: Element): AskedField {
  const isShown = !field.matches(`[type=hidden], ${BUTTONS}`) && isVisible(field);
  const name = (isShown ? nameOf(field) : '') || (attribute(field, 'name') ?? attribute(field, 'id') ?? '');
  const value = sentValue(field);
  const seen = { shown: isShown, ...(!isShown && !field.matches(BUTTONS) && { hidden: true as const }) };
  if (!isSecretField(field)) return { name, value: capped(value, MAX_VALUE_CHARS), ...seen };
  return { name, value: value === '' ? '' : '•••', token: tokenOf(value), ...seen };
}

function sentValue(field: Element): string {
  const value = (from: Element) => String(Reflect.get(from, 'value') ?? '');
  if (field.matches('[type=checkbox], [type=radio]'))
    return Reflect.get(field, 'checked') === true ? `${value(field)} ✓` : '';
  if (field.matches(EDITOR) && !field.matches(FIELDS)) return innerText(field);
  if (field.localName !== 'select') return value(field);
  return [...field.querySelectorAll('option')]
    .filter((option) => option.selected)
    .map((option) => `${option.label} (${option.value})`)
    .join(', ');
}

/** The values stay here, so that nobody can guess one by trying tokens elsewhere. */
const tokens = new Map<string, string>();

export function tokenOf(value: string): string {
  const known = tokens.get(value);
  if (known !== undefined) return known;
  const token = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => String.fromCharCode(97 + (byte % 26)))
    .join('');
  tokens.set(value, token);
  return token;
}

/** As it is drawn, so that what is hidden and shown in turn counts; with what open shadow roots draw. */
export function drawnText(place: Element): string {
  const texts = [innerText(place), ...styledNumbers(place)];
  for (const element of place.getElementsByTagName('*')) {
    if (element.localName === 'img') texts.push(attribute(element, 'alt') ?? '');
    if (element.localName === 'iframe') texts.push(textOfFrame(element));
    for (const child of element.shadowRoot?.children ?? []) texts.push(innerText(child));
  }
  return texts.filter((text) => text !== '').join('\n');
}

const MOST_STYLED = 500;

/** Numbers that a style sheet draws. Other texts of style sheets change with the pointer, such as an arrow on hover. */
function styledNumbers(place: Element): string[] {
  const view = documentOf(place).defaultView;
  if (view === null) return [];
  return [...place.getElementsByTagName('*')]
    .slice(0, MOST_STYLED)
    .flatMap((element) =>
      ['::before', '::after']
        .map((pseudo) => quoted(view.getComputedStyle(element, pseudo).content))
        .filter((text) => /\p{N}/u.test(text)),
    );
}

/** Empty for a frame of another origin. */
function textOfFrame(frame: Element): string {
  const body: unknown = Reflect.get(Object(Reflect.get(frame, 'contentDocument')), 'body');
  return isElement(body) ? innerText(body) : '';
}

export const innerText = (element: Element): string => {
  const text: unknown = getterOf(element, 'HTMLElement', 'innerText');
  return typeof text === 'string' ? text : (element.textContent ?? '');
};

/** Named fields shadow a form's members (`name="elements"`) in every world: read through the prototypes. */
function attribute(element: Element, name: string): string | null {
  return Reflect.apply(Element.prototype.getAttribute, element, [name]);
}

function controlsOf(form: Element): Element[] {
  const controls = getterOf(form, 'HTMLFormElement', 'elements');
  if (!(controls instanceof Object && Symbol.iterator in controls))
    return [...Reflect.apply(Element.prototype.querySelectorAll, form, [FIELDS])].filter(isElement);
  return parseControls(controls).filter((each) => each.matches(`${FIELDS}, button`));
}

function getterOf(element: Element, type: 'HTMLElement' | 'HTMLFormElement', name: string): unknown {
  const { get } = Object.getOwnPropertyDescriptor(globalThis[type].prototype, name) ?? {};
  try {
    return get === undefined ? undefined : Reflect.apply(get, element, []);
  } catch {
    // An SVG element is not an HTMLElement.
    return undefined;
  }
}

function parseControls(controls: object): Element[] {
  return Array.from(controls as Iterable<unknown>).filter(isElement);
}

/** Replaces the cut-off part by the length, a checksum with a seed that the page does not know, and the end. */
function capped(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let sum = SEED;
  for (let at = maxChars; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  const end = Math.min(SHOWN_END_CHARS, maxChars);
  return `${text.slice(0, maxChars)}… ${text.length} ${sum >>> 0} …${text.slice(text.length - end)}`;
}

const SEED = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;
