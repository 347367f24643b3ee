import { type Choice, isSecretField, nameOf, type Point } from '@drawbridge/page';
import { defaultButtonOf, formOf, holdsSecret, isSender, nearest, sensitivePlaceAround } from './forms.ts';
import { originHere } from './origin-here.ts';
import type { InPageScene } from './scene.ts';
import { isElement, isFrame, middleOfFrame, type Whom } from './subject.ts';

/**
 * What is done to it. `keys` are those that neither press nor send; `lines` is typed text with more than one;
 * `write` puts a whole value in.
 */
export type Manner = 'press' | 'enter' | 'space' | 'keys' | 'lines' | 'write' | 'choose' | 'upload';

/** Whom a call is about, and how. */
export type Subject = Whom & {
  readonly by?: Manner;
  readonly choice?: Choice | readonly Choice[];
};

/** What doing it would set off, as far as the page shows. */
export interface Purpose {
  readonly label: string;
  readonly submits: boolean;
  readonly sensitive: boolean;
  readonly secret: boolean;
  /** Whether anything beyond the element itself hears of it. */
  readonly sends: 'never' | 'maybe' | 'surely';
  /** Whose page this is. */
  readonly origin: string;
  /** Where a frame stands that page code cannot look into: its own page code knows more. */
  readonly foreign?: Point;
}

const PRESSED =
  'a[href], button, input, select, textarea, label, summary, [role], [onclick], [tabindex], [contenteditable]';
const EDITOR = '[contenteditable]:not([contenteditable=false])';
const TEXT = `textarea, ${EDITOR}, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], [type=range], [type=color])`;
const TICKED = 'input:is([type=checkbox], [type=radio]), [role=checkbox], [role=radio], [role=switch]';
/** Fields that tell the page of a choice at once, with no key that sends it. */
const CHOSEN = `select, input:is([type=range], [type=color], [type=file]), ${TICKED}`;
/** In a form with a secret everything else is taken to send it, whatever its type. */
const HARMLESS =
  '[type=reset], summary, [role=combobox], [role=listbox], [role=option], [role=tab], a[href]:not([href=""], [href^="#"], [href^="javascript:" i], [role=button], [onclick])';

/** What a call would set off on an element that was found. */
export function purposeOn(found: Element, act: Subject, scene: InPageScene): Purpose {
  const origin = originHere(scene);
  if (isFrame(found)) {
    const foreign = 'x' in act ? { x: act.x, y: act.y } : middleOfFrame(found);
    const worst = { submits: true, sensitive: true, secret: true, sends: 'surely' } as const;
    return { label: nameOf(found), ...worst, origin, foreign };
  }
  const { by = 'press' } = act;
  const element = pressedBy(found);
  const form = formOf(element);
  const around = form ?? sensitivePlaceAround(element, scene.looseSecrets.around);
  const sensitive = around !== undefined && holdsSecret(around);
  const place: Place = { element, isText: element.matches(TEXT), form, around, sensitive };
  return {
    label: labelFor(by, place, act.choice),
    submits: submits(by, place),
    sensitive,
    secret: isSecretField(element),
    sends: sendsBy(by, place),
    origin,
  };
}

interface Place {
  readonly element: Element;
  readonly isText: boolean;
  readonly form: Element | undefined;
  readonly around: Element | undefined;
  readonly sensitive: boolean;
}

/** Pressing a label presses what it is for. */
function pressedBy(found: Element): Element {
  const element = nearest(found, PRESSED) ?? found;
  const control: unknown = element.localName === 'label' ? Reflect.get(element, 'control') : undefined;
  return isElement(control) ? control : element;
}

/** With the button that Enter would press for it, or with what would be chosen. */
function labelFor(by: Manner, { element, form }: Place, choice: Subject['choice']): string {
  const names = [nameOf(element)];
  const isEntered = (by === 'enter' || by === 'lines') && element.matches(`${TEXT}, ${TICKED}`);
  const button = isEntered && form !== undefined ? defaultButtonOf(form) : undefined;
  if (button !== undefined) names.push(nameOf(button));
  if (choice !== undefined && (by === 'choose' || element.localName === 'select'))
    names.push(...[choice].flat().map((each) => choiceName(element, each)));
  return names.filter((name) => name !== '').join(' → ');
}

function choiceName(element: Element, choice: Choice): string {
  const options = [...element.querySelectorAll('option')];
  if ('index' in choice) return options[choice.index]?.label ?? '';
  if ('label' in choice) return options.find(({ value }) => value === choice.label)?.label ?? choice.label;
  return options.find(({ value }) => value === choice.value)?.label ?? choice.value;
}

function submits(by: Manner, { element, isText, form, around, sensitive }: Place): boolean {
  if (isText) return around !== undefined && (by === 'enter' || by === 'lines');
  if (by === 'upload') return changeSends(element, form);
  if (element.matches(CHOSEN)) return by === 'enter' ? form !== undefined : changeSends(element, form);
  if (form !== undefined && isSender(element)) return true;
  return around !== undefined && sensitive && !element.matches(HARMLESS);
}

function sendsBy(by: Manner, { element, isText, form }: Place): Purpose['sends'] {
  const isSelect = element.localName === 'select';
  if (by === 'upload') return form === undefined || changeSends(element, form) ? 'surely' : 'maybe';
  if (isText) return form === undefined && isChatEditor(by, element) ? 'surely' : isEntered(by, element);
  if (isSelect && (by === 'press' || by === 'space' || by === 'enter')) return 'never';
  // With a button to send it, a choice is only a choice.
  if (isSelect) return form === undefined || changeSends(element, form) ? 'maybe' : 'never';
  if (by === 'keys' || by === 'write' || by === 'lines') return element.matches(CHOSEN) ? 'maybe' : 'never';
  return 'maybe';
}

/** Typed lines reach a field as Enter, and a rich editor as text. */
function isEntered(by: Manner, element: Element): Purpose['sends'] {
  return by === 'enter' || (by === 'lines' && !element.matches(EDITOR)) ? 'maybe' : 'never';
}

/** Where there is no form, Enter is what sends a message. */
function isChatEditor(by: Manner, element: Element): boolean {
  if (element.matches('[role=searchbox]')) return false;
  if (by === 'enter') return element.matches(`textarea, ${EDITOR}`);
  return by === 'lines' && element.localName === 'textarea';
}

/**
 * A form without a button is sent by a change, and so may be one whose markup listens for it. Other forms
 * are taken to wait for their button: else every country of an address would be asked about.
 */
function changeSends(element: Element, form: Element | undefined): boolean {
  const listens = (each: Element | undefined) => each?.matches('[onchange], [oninput]') === true;
  return listens(element) || listens(form) || (form !== undefined && defaultButtonOf(form) === undefined);
}
