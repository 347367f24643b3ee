import { isSecretField, nameOf } from '@drawbridge/page';
import { elementAt } from './geometry.ts';
import type { InPageScene } from './scene.ts';

/** Whom a call is about. */
export type Subject =
  | { readonly id: string }
  | { readonly x: number; readonly y: number }
  | { readonly focused: true };

/** What pressing it would set off, as far as the page shows. */
export interface Purpose {
  readonly label: string;
  readonly submits: boolean;
  readonly sensitive: boolean;
  readonly secret: boolean;
}

const PRESSED =
  'a[href], button, input, select, textarea, label, summary, [role], [onclick], [tabindex], [contenteditable]';
const FIELDS = 'input, textarea, select, [contenteditable]';
const WRITTEN = 'input, [contenteditable]';
/** Pages without forms keep a button near the fields it sends. */
const NEAR_ANCESTORS = 6;

/** Of what cannot be found nothing is known, which a runtime takes for the worst. */
export async function purposeOf(subject: Subject, scene: InPageScene): Promise<Purpose | null> {
  const found = await subjectOf(subject, scene);
  if (found === undefined) return null;
  const element = found.closest(PRESSED) ?? found;
  const form = element.closest('form') ?? formBy(element);
  const around = form ?? sensitivePlaceAround(element);
  const isSender = element.matches('button:not([type=button], [type=reset]), [type=submit], [type=image]');
  return {
    label: nameOf(element),
    submits: around !== undefined && (form === undefined || isSender || element.matches(WRITTEN)),
    sensitive: around !== undefined && holdsSecret(around),
    secret: isSecretField(element),
  };
}

async function subjectOf(subject: Subject, scene: InPageScene): Promise<Element | undefined> {
  if ('focused' in subject) return scene.world.focused() ?? scene.document.body;
  if ('x' in subject) return elementAt(subject, scene);
  return scene.world.elementOf(subject.id) ?? (await healed(subject.id, scene));
}

/** Preparing a press finds what has taken the place of an element that is gone; it is given up at once. */
async function healed(id: string, scene: InPageScene): Promise<Element | undefined> {
  const prepared = await scene.page.preparePress(id);
  if (!prepared.ok) return undefined;
  await scene.page.confirm(prepared.token);
  return scene.world.elementOf(prepared.id);
}

function formBy(element: Element): Element | undefined {
  const form: unknown = Reflect.get(element, 'form');
  return form instanceof Element ? form : undefined;
}

function sensitivePlaceAround(element: Element): Element | undefined {
  let outer = element.parentElement;
  for (let depth = 0; outer !== null && depth < NEAR_ANCESTORS; depth++) {
    if (holdsSecret(outer)) return outer;
    outer = outer.parentElement;
  }
  return undefined;
}

const holdsSecret = (place: Element): boolean => [...place.querySelectorAll(FIELDS)].some(isSecretField);
