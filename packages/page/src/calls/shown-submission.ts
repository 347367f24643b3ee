import { isVisible } from '../perceive/visibility.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import { isAmount } from './amounts.ts';
import { destinationOf, surroundingsOf } from './fingerprint.ts';
import { entriesOf } from './form-entries.ts';
import { isWeighty, namesOneTime, namesWeight } from './form-submit.ts';
import { attributeOf, controlsOf, defaultButtonOf, documentOf, isForm } from './forms.ts';

type Entry = readonly [name: string, value: string];

/** A submission or navigation as the browser is about to make it. */
export interface Submission {
  readonly form?: Element | undefined;
  readonly url: string;
  readonly isPost: boolean;
  readonly entries: readonly Entry[];
}

/** A submission as the page showed it when its press was classified. */
export interface ShownSubmission {
  readonly pressed: Element;
  /** Undefined when only a script knows where the press leads. */
  readonly url: string | undefined;
  readonly isPost: boolean;
  /** Entries of its form, else of the controls near the press. */
  readonly entries: readonly Entry[];
  /** Names of controls that a person can see. */
  readonly visible: ReadonlySet<string>;
  /** Name of the field that the act itself writes. */
  readonly written?: string;
  /** The forms of the document. */
  readonly forms: ReadonlySet<Element>;
}

const FIELDS = 'input, textarea, select';
const MOST_NEAR = 500;

export interface ClassifiedPress {
  readonly pressed: Element;
  readonly form: Element | undefined;
  /** Enter in a field presses the default button. */
  readonly isEntered: boolean;
  /** The act changes the value of the element. */
  readonly isWritten: boolean;
}

export function shownSubmissionOf({ pressed, form, isEntered, isWritten }: ClassifiedPress): ShownSubmission {
  const sender = form !== undefined && isEntered ? defaultButtonOf(form) : pressed;
  const { url, method } = destinationOf(pressed, form, sender);
  const isKnown = url !== undefined && !/^\s*javascript:/i.test(url);
  const sent = isKnown && method !== undefined && form !== undefined && isForm(form) ? form : undefined;
  const controls =
    sent === undefined
      ? [...surroundingsOf(pressed, form).querySelectorAll(FIELDS)].slice(0, MOST_NEAR)
      : controlsOf(sent);
  return {
    pressed,
    url: isKnown ? url : undefined,
    isPost: method?.startsWith('post') === true,
    entries: sent === undefined ? controls.map(entryOf) : textsOf(entriesOf(sent, sender)),
    visible: new Set(controls.filter(isShown).map(nameOf)),
    forms: new Set(documentOf(pressed).forms),
    ...(isWritten && { written: nameOf(pressed) }),
  };
}

/** For a form that is sent again after a person allowed it as it is now. */
export function allowedSubmission(sent: Submission): ShownSubmission {
  const { form, url, isPost, entries } = sent;
  const controls = form === undefined ? [] : controlsOf(form);
  return {
    pressed: form ?? document.documentElement,
    ...{ url, isPost, entries },
    visible: new Set(controls.filter(isShown).map(nameOf)),
    forms: new Set(document.forms),
  };
}

/** Files are shown by their field; the agent chose them, or the person did. */
export const textsOf = (entries: Iterable<readonly [string, FormDataEntryValue]>): Entry[] =>
  [...entries].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));

/** The entries that nobody was shown, if any or the address differ; undefined for what was shown. */
export function differenceOf(
  shown: readonly ShownSubmission[],
  sent: Submission,
): readonly Entry[] | undefined {
  const found = shown.map((each) => differenceFrom(each, sent));
  return found.includes(undefined) ? undefined : found[0];
}

function differenceFrom(shown: ShownSubmission, sent: Submission): readonly Entry[] | undefined {
  const unshown = unshownEntries(shown, sent);
  const isSame = shown.url === undefined || (shown.isPost === sent.isPost && isSameAddress(shown.url, sent));
  if (isSame) return unshown.length === 0 ? undefined : unshown;
  // A script makes such a form to hand over to the person's bank, for example.
  const isMade = sent.form !== undefined && !shown.forms.has(sent.form);
  return isMade && !sent.entries.some(([name, value]) => namesWeight(name) || isAmount(value))
    ? undefined
    : unshown;
}

function isSameAddress(url: string, { url: now, isPost, form }: Submission): boolean {
  const one = URL.parse(url);
  const other = URL.parse(now);
  if (one === null || other === null) return url === now;
  if (one.origin !== other.origin || one.pathname !== other.pathname) return false;
  // The query of a GET form is its fields.
  return (form !== undefined && !isPost) || queryOf(one) === queryOf(other);
}

const queryOf = ({ searchParams }: URL): string =>
  JSON.stringify([...searchParams].filter(([name]) => !namesOneTime(name)));

/**
 * Pages add tokens as they send, write a value in another way, and disable empty fields. A secret is shown as
 * dots, and a page may hash it. None of these is a difference; an amount or a recipient always is.
 */
function unshownEntries(shown: ShownSubmission, sent: Submission): Entry[] {
  const { url, entries, visible, written } = shown;
  const before = grouped(entries);
  const now = grouped(sent.entries);
  const controls = sent.form === undefined ? [] : controlsOf(sent.form);
  const known = new Set(entries.map(([, value]) => value));
  const unshown: Entry[] = [];
  for (const [name, values] of now) {
    const control = controls.find((each) => nameOf(each) === name);
    const heavy = namesWeight(name) || values.some(isAmount) || (control !== undefined && isWeighty(control));
    if (name === written || (control !== undefined && isSecretField(control))) continue;
    const isSeen = visible.has(name) || (control !== undefined && isShown(control));
    if (!heavy && (url === undefined || !isSeen || namesOneTime(name))) continue;
    if (url === undefined && values.every((value) => known.has(value))) continue;
    const was = before.get(name) ?? [];
    const isSame = was.length === values.length && was.every((each, at) => isEqual(each, values[at], heavy));
    if (!isSame && values.some((value) => value !== '')) unshown.push([name, values.join(', ')]);
  }
  if (url === undefined) return unshown;
  for (const [name, values] of before)
    if (!now.has(name) && namesWeight(name) && values.some((value) => value !== '')) unshown.push([name, '']);
  return unshown;
}

function grouped(entries: readonly Entry[]): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of entries) byName.set(name, [...(byName.get(name) ?? []), value]);
  return byName;
}

/** Spaces, case and the marks inside a number of a phone or card are how a value is written. */
function isEqual(one: string, other: string | undefined, isHeavy: boolean): boolean {
  if (other === undefined) return false;
  const [was, is] = [one, other].map((text) => text.replace(/\s+/g, '').toLowerCase());
  if (was === is) return true;
  if (was === undefined || is === undefined) return false;
  if (isHeavy) return NUMBER.test(was) && NUMBER.test(is) && Number(was) === Number(is);
  const bare = (text: string) => text.replace(/[()/]|(?<=\w)-(?=\w)/g, '');
  return bare(was) === bare(is);
}

const NUMBER = /^\d+(?:\.\d+)?$/;

const nameOf = (control: Element): string => attributeOf(control, 'name') ?? '';

const entryOf = (control: Element): Entry => [nameOf(control), String(Reflect.get(control, 'value') ?? '')];

const isShown = (control: Element): boolean => !control.matches('[type=hidden]') && isVisible(control);
