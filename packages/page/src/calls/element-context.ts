import type { Choice } from '../act/choice.ts';
import { originHere } from '../locate/origin-here.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import type { Point } from '../perceive/hit-test.ts';
import { isUnseenTag, tidy } from '../perceive/text.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import { isPrice } from './amounts.ts';
import { type DialogTexts, dialogTextsOf } from './dialog-texts.ts';
import { isElement, isFrame, middleOfFrame, type TargetQuery } from './find-target.ts';
import { type AskedContent, contentOf, destinationOf, innerText } from './fingerprint.ts';
import type { Stopped } from './form-hold.ts';
import { type FormSubmit, formSubmitOf } from './form-submit.ts';
import {
  defaultButtonOf,
  formOf,
  holdsSecret,
  isSender,
  isWholePage,
  nearest,
  SENDER,
  sensitiveFormAround,
} from './forms.ts';
import type { InPageContext } from './in-page-context.ts';
import { textsOver } from './painted-words.ts';
import { clipped, isTooLong, labelOf, MOST_CHARS, MOST_READ, wordsOf } from './shown-words.ts';

/**
 * The kind of action. `keys` neither press nor send; `lines` is typed text with several lines; `write`
 * replaces the whole value.
 */
export type Manner = 'press' | 'enter' | 'space' | 'keys' | 'lines' | 'write' | 'choose' | 'upload';

/** The target of a call and the action on it. */
export type ActTarget = TargetQuery & {
  readonly by?: Manner;
  readonly choice?: Choice | readonly Choice[];
  /** Set when a person is asked: includes the content that would be sent. */
  readonly content?: boolean;
};

/** The masked parts of an element context. */
export interface Covered {
  /** A random token per content of the masked parts in this document; the same token means the same content. */
  readonly token: string;
  /** A text that describes the action lost letters, so nobody can tell the effect by its words. */
  readonly words: boolean;
}

/** Likely consequences of the action, as far as the page shows them. */
export interface PageElementContext {
  readonly label: string;
  /** Every text that describes the action. Only the runtime judges them, as it has the word table. */
  readonly words: readonly string[];
  /** Surrounding texts that the action may confirm. */
  readonly around?: DialogTexts;
  readonly submits: boolean;
  readonly sensitive: boolean;
  readonly secret: boolean;
  /** Whether the action affects anything beyond the element itself. */
  readonly sends: 'never' | 'maybe' | 'surely';
  readonly origin: string;
  /** The form that it would send, unless by GET. */
  readonly form?: FormSubmit;
  /** The button has no other words than its price. */
  readonly priced?: true;
  /** Address of a link that an agent may have written: in an editor, or in a document without an origin. */
  readonly leads?: string;
  /** Place of a frame that page code cannot read; the frame's own page code knows more. */
  readonly foreign?: Point;
  readonly content?: AskedContent;
  readonly covered?: Covered;
  /** Set where a closed shadow root is possible, which a host with a debugger opens before it asks again. */
  readonly unseen?: boolean;
}

/** https://dom.spec.whatwg.org/#valid-shadow-host-name */
const SHADOW_HOST =
  'article, aside, blockquote, body, div, footer, h1, h2, h3, h4, h5, h6, header, main, nav, p, section, span';

/** A custom element without a known root, or an element that draws none of its text and is no empty control. */
function mayHideRoot(element: Element, { pageInternals: { shadowRootOf } }: InPageContext): boolean {
  if (shadowRootOf(element) !== null && shadowRootOf(element) !== undefined) return false;
  return (
    element.localName.includes('-') || (element.matches(SHADOW_HOST) && innerText(element).trim() === '')
  );
}

/** The text of a whole card says little about one press on it; that of a button is read as far as a label is. */
const MOST_IN_ROOT = 400;

/** The words that a pressed element draws in its own shadow root: its text lacks them. */
function textsInRoots(
  hosts: readonly Element[],
  { pageInternals: { shadowRootOf } }: InPageContext,
): string[] {
  return [...new Set(hosts)].flatMap((host) => {
    const shown = [...(shadowRootOf(host)?.childNodes ?? [])].map((child) => {
      if (!isElement(child)) return child.textContent ?? '';
      return isUnseenTag(child) ? '' : innerText(child);
    });
    const text = tidy(shown.join(' '));
    const isRead = text.length <= MOST_IN_ROOT || host.matches(PRESSED);
    return text === '' || !isRead ? [] : text.slice(0, MOST_READ);
  });
}

/** Words that the shadow root around a slotted element draws over it. */
function textsOfSlot(element: Element, { pageInternals: { shadowRootOf } }: InPageContext): string[] {
  const root = element.parentElement === null ? undefined : shadowRootOf(element.parentElement);
  return root == null ? [] : textsOver(element, [...root.querySelectorAll('*')]);
}

const PRESSED =
  'a[href], button, input, select, textarea, label, summary, [role], [onclick], [tabindex], [contenteditable]';
const EDITOR = '[contenteditable]:not([contenteditable=false])';
const TEXT = `textarea, ${EDITOR}, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], [type=range], [type=color])`;
const TICKED = 'input:is([type=checkbox], [type=radio]), [role=checkbox], [role=radio], [role=switch]';
const BUTTON = 'button, [role=button], input:is([type=button], [type=submit], [type=image])';
const NEAR = 3;
const FOLLOWS = 4;
const LISTENS = 'a[href], button, summary, [onclick], [role=button], [role=link]';
/** Fields that report a choice at once, without a submitting key. */
const CHOSEN = `select, input:is([type=range], [type=color], [type=file]), ${TICKED}`;
/** Elements that do not send the secret fields of a page without a form. */
const PLAIN_LINK = 'a[href]:not([href=""], [href^="#"], [href^="javascript:" i], [role], [onclick])';
const HARMLESS_ON_PAGE = `[type=reset], summary, [role=combobox], [role=listbox], [role=option], [role=tab], ${PLAIN_LINK}`;

/** Derives the consequences of a call on an element. */
export function elementContextOn(found: Element, act: ActTarget, context: InPageContext): PageElementContext {
  const origin = originHere(context);
  if (isFrame(found)) {
    const foreign = 'x' in act ? { x: act.x, y: act.y } : middleOfFrame(found);
    const worst = { submits: true, sensitive: true, secret: true, sends: 'surely' } as const;
    const told = act.content === true && { content: contentOf(found, undefined, false) };
    return { label: nameOf(found), words: [], ...worst, origin, foreign, ...told };
  }
  const { by = 'press' } = act;
  const element = pressedBy(found);
  const form = formOf(element);
  const around = form ?? sensitiveFormAround(element, context.looseSecrets.around);
  const sensitive = around !== undefined && holdsSecret(around);
  const place: ElementPosition = { found, element, isText: element.matches(TEXT), form, around, sensitive };
  const answers = isPressed(by) || by === 'lines' ? buttonOf(by, place) : undefined;
  const asked = answers === undefined ? undefined : dialogTextsOf(answers);
  const submit = formSubmitOf(by, { element, form, changeSends: changesForm(by, place) });
  const isEntered = by === 'enter' || by === 'lines';
  if (act.content === true || submit !== undefined)
    context.formHold.show({ pressed: element, form, isEntered, isWritten: writes(by, element) });
  const hosted = [...textsInRoots([found, element], context), ...textsOfSlot(element, context)];
  return {
    label: [
      ...textsOf(by, place, act.choice, labelOf),
      ...hosted.map((text) => clipped(text, MOST_CHARS)),
    ].join(' → '),
    words: [...textsOf(by, place, act.choice, wordsOf), ...hosted],
    ...(asked !== undefined && { around: asked }),
    submits: submits(by, place),
    sensitive,
    secret: isSecretField(element),
    sends: sendsBy(by, place),
    origin,
    ...(isPressed(by) && isPriced(element) && { priced: true as const }),
    ...(mayHideRoot(found, context) && { unseen: true }),
    ...(isPressed(by) && (origin === 'null' || isInEditor(element)) && leadOf(element)),
    ...(act.content === true && { content: contentOf(element, form, isEntered) }),
    ...(submit !== undefined && { form: submit }),
  };
}

const PRICED = 'button, [role=button]:not([href]), input:is([type=button], [type=submit])';
/** Chooses an amount, or opens a menu. */
const CHOOSES =
  '[aria-pressed], [aria-expanded], [aria-haspopup], [aria-selected], [role=radio], [role=tab], [role=option]';

/** A row of amounts is a choice, such as of a donation or of a range of prices. */
function isPriced(element: Element): boolean {
  if (!element.matches(PRICED) || element.matches(CHOOSES) || !isPrice(labelOf(element))) return false;
  const others = [...(element.parentElement?.children ?? [])].filter((each) => each !== element);
  return !others.some((each) => each.matches(PRICED) && isPrice(labelOf(each)));
}

const isInEditor = (element: Element): boolean => nearest(element, EDITOR) !== undefined;

function leadOf(element: Element): Pick<PageElementContext, 'leads'> {
  const { url } = destinationOf(element, undefined, element);
  return url === undefined ? {} : { leads: url };
}

const OVERRIDES = '[formaction], [formmethod], [formenctype], [formtarget]';

/** Consequences of a form that the page sends by itself: those of a press on its button. */
export function formContextOn({ other, ...stopped }: Stopped, context: InPageContext): PageElementContext {
  if (other === undefined) return ownContextOn(stopped, context);
  const { submission, entries } = other;
  const found =
    submission.form === undefined
      ? elementContextOn(stopped.form, { x: 0, y: 0, by: 'press', content: true }, context)
      : ownContextOn(stopped, context);
  const content = found.content ?? contentOf(stopped.form, submission.form, false);
  const isRead = ([name, value]: readonly [string, string]) =>
    content.fields.some((field) => field.name === name && field.value === value);
  const more = entries
    .filter((entry) => !isRead(entry))
    .map(([name, value]) => ({ name, value, shown: true }));
  const { method: _, ...rest } = content;
  const method = submission.isPost ? { method: content.method ?? 'post' } : {};
  return {
    ...found,
    content: { ...rest, ...method, url: submission.url, fields: [...content.fields, ...more] },
  };
}

function ownContextOn({ form, submitter }: Stopped, context: InPageContext): PageElementContext {
  const button = submitter ?? defaultButtonOf(form);
  const isPressed = button !== undefined && (button === submitter || !button.matches(OVERRIDES));
  if (isPressed && formOf(button) === form)
    return elementContextOn(button, { x: 0, y: 0, by: 'press', content: true }, context);
  const submit = formSubmitOf('press', { element: form, form, changeSends: true });
  const texts = button === undefined ? [] : wordsOf(button);
  return {
    label: button === undefined ? nameOf(form) : labelOf(button),
    words: [nameOf(form), ...texts].filter((text) => text !== ''),
    submits: true,
    sensitive: holdsSecret(form),
    secret: false,
    sends: 'maybe',
    origin: originHere(context),
    content: contentOf(form, form, false),
    ...(submit !== undefined && { form: submit }),
  };
}

interface ElementPosition {
  /** Where the press lands, and the element that handles it. */
  readonly found: Element;
  readonly element: Element;
  readonly isText: boolean;
  readonly form: Element | undefined;
  readonly around: Element | undefined;
  readonly sensitive: boolean;
}

/** Pressing a label presses its control. */
function pressedBy(found: Element): Element {
  const element = nearest(found, PRESSED) ?? found;
  const control: unknown = element.localName === 'label' ? Reflect.get(element, 'control') : undefined;
  return isElement(control) ? control : element;
}

/** Includes the button that Enter would press, or the option that would be chosen. */
function textsOf(
  by: Manner,
  place: ElementPosition,
  choice: ActTarget['choice'],
  read: (element: Element) => string | readonly string[],
): string[] {
  const { found, element, isText } = place;
  const button = defaultButtonFor(by, place);
  const isChosen = choice !== undefined && (by === 'choose' || element.localName === 'select');
  const chosen = isChosen ? [choice].flat().map((each) => choiceName(element, each)) : [];
  // The pressed element may say more than the control around it; text in an editor does not count.
  const pressed = isText || !isPressed(by) ? [element] : [element, found];
  const reached = [...pressed, ...(button === undefined ? [] : [button]), ...reachedBy(by, place)];
  const texts = [...new Set(reached)].flatMap(read);
  return [...new Set([...texts, ...chosen])].filter((text) => text !== '');
}

/** A list that shows its options: a press chooses one, where it would open another list. */
const isListBox = (element: Element): boolean =>
  element.localName === 'select' &&
  (Reflect.get(element, 'multiple') === true || Number(Reflect.get(element, 'size')) > 1);

/** Enter takes the active option of a list; arrows and letters choose any option of a native one. */
function reachedBy(by: Manner, { element, found }: ElementPosition): Element[] {
  if (by === 'press' && isListBox(element) && found.localName !== 'option')
    return [...element.querySelectorAll('option')];
  if (by === 'enter') {
    const active = element.getAttribute('aria-activedescendant')?.split(/\s+/) ?? [];
    return active.map((id) => element.ownerDocument.getElementById(id)).filter((each) => each !== null);
  }
  if (by !== 'keys') return [];
  if (element.localName === 'select') return [...element.querySelectorAll('option')];
  if (!element.matches('input[type=radio]')) return [];
  const radios = element.ownerDocument.querySelectorAll('input[type=radio]');
  return [...radios].filter((each) => each.getAttribute('name') === element.getAttribute('name'));
}

/** The button that Enter in a field presses. */
function defaultButtonFor(by: Manner, { element, form }: ElementPosition): Element | undefined {
  const isSentByEnter = (by === 'enter' || by === 'lines') && element.matches(`${TEXT}, ${TICKED}`);
  if (!isSentByEnter) return undefined;
  return form === undefined ? neighbourOf(element) : defaultButtonOf(form);
}

/** Without a form, a script that sends on Enter mostly does the same as the button beside the field. */
function neighbourOf(field: Element): Element | undefined {
  let around = field.parentElement;
  for (let depth = 0; around !== null && depth < NEAR && !isWholePage(around); depth++) {
    const buttons = [...around.querySelectorAll(BUTTON)];
    if (buttons.length > 0)
      return buttons.find((each) => field.compareDocumentPosition(each) & FOLLOWS) ?? buttons.at(-1);
    around = around.parentElement;
  }
  return undefined;
}

const buttonOf = (by: Manner, place: ElementPosition): Element =>
  defaultButtonFor(by, place) ?? place.element;

function choiceName(element: Element, choice: Choice): string {
  const options = [...element.querySelectorAll('option')];
  if ('index' in choice) return options[choice.index]?.label ?? '';
  if ('label' in choice) return options.find(({ value }) => value === choice.label)?.label ?? choice.label;
  return options.find(({ value }) => value === choice.value)?.label ?? choice.value;
}

function submits(by: Manner, place: ElementPosition): boolean {
  const { element, isText, form, around, sensitive } = place;
  if (isText) return around !== undefined && (by === 'enter' || by === 'lines');
  if (by === 'upload') return changeSends(element, form);
  if (sensitive && isPressed(by) && !isHarmless(place)) return true;
  if (element.matches(CHOSEN)) return by === 'enter' ? form !== undefined : changeSends(element, form);
  return form !== undefined && (isSender(element) || nearest(element, SENDER) !== undefined);
}

/** The act itself changes the value of its field; the arguments in the question say to what. */
const writes = (by: Manner, element: Element): boolean => !isPressed(by) || element.matches(CHOSEN);

const isPressed = (by: Manner): boolean => by === 'press' || by === 'space' || by === 'enter';

/**
 * In a form with a secret any press may send it: a tab, a link, a checkbox. Only opening a native list does
 * not. Beside a secret without a form, a plain link is harmless; elsewhere on such a page, so is a control
 * that opens something.
 */
function isHarmless({ element, form, around }: ElementPosition): boolean {
  if (element.localName === 'select') return !isListBox(element);
  if (form !== undefined || around === undefined) return false;
  return element.matches(isWholePage(around) ? HARMLESS_ON_PAGE : PLAIN_LINK);
}

/** A change of the field makes the page send its form. */
function changesForm(by: Manner, { element, form }: ElementPosition): boolean {
  if (by === 'enter' || !element.matches(CHOSEN)) return false;
  // Pressing a list only opens it.
  const isOpened = element.localName === 'select' && !isListBox(element) && isPressed(by);
  return !isOpened && changeSends(element, form);
}

function sendsBy(by: Manner, { element, isText, form }: ElementPosition): PageElementContext['sends'] {
  const isSelect = element.localName === 'select' && !(by === 'press' && isListBox(element));
  if (by === 'upload') return form === undefined || changeSends(element, form) ? 'surely' : 'maybe';
  if (isPressed(by) && isTooLong(element)) return 'surely';
  // A click on a field reaches listeners around it.
  if (by === 'press' && (isText || isSelect))
    return nearest(element, LISTENS) === undefined ? 'never' : 'maybe';
  if (isText) return form === undefined && isChatEditor(by, element) ? 'surely' : sendsOnEnter(by, element);
  if (isSelect && (by === 'space' || by === 'enter')) return 'never';
  // With a submit button, a choice does not send.
  if (isSelect) return form === undefined || changeSends(element, form) ? 'maybe' : 'never';
  if (by === 'keys' || by === 'write' || by === 'lines') return element.matches(CHOSEN) ? 'maybe' : 'never';
  return 'maybe';
}

/** Typed lines reach a field as Enter, and a rich editor as text. */
function sendsOnEnter(by: Manner, element: Element): PageElementContext['sends'] {
  return by === 'enter' || (by === 'lines' && !element.matches(EDITOR)) ? 'maybe' : 'never';
}

/** Without a form, Enter sends a message. */
function isChatEditor(by: Manner, element: Element): boolean {
  if (element.matches('[role=searchbox]')) return false;
  if (by === 'enter') return element.matches(`textarea, ${EDITOR}`);
  return by === 'lines' && element.localName === 'textarea';
}

/**
 * A change sends a form without a button, and possibly one whose markup listens for changes. Other forms are
 * assumed to wait for their button: otherwise every choice of a country would ask.
 */
function changeSends(element: Element, form: Element | undefined): boolean {
  const listens = (each: Element | undefined) => each?.matches('[onchange], [oninput]') === true;
  return listens(element) || listens(form) || (form !== undefined && defaultButtonOf(form) === undefined);
}
