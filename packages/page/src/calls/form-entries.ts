import { attributeOf, controlsOf, isForm } from './forms.ts';

/** Form entries of a custom element. */
export interface CustomEntry {
  readonly element: Element | undefined;
  readonly name: string;
  readonly value: string;
}

const NATIVE = 'input, textarea, select, button, fieldset, output, object';

/** https://html.spec.whatwg.org/multipage/custom-elements.html#form-associated-custom-element */
export function customEntriesOf(form: Element, sender: Element | undefined): CustomEntry[] {
  if (!isForm(form)) return [];
  const controls = controlsOf(form);
  const custom = controls.filter((each) => !each.matches(NATIVE));
  if (custom.length === 0) return [];
  const known = new Set(controls.filter((each) => each.matches(NATIVE)).map(nameAttribute));
  return entriesOf(form, sender)
    .filter(([name]) => !known.has(name) || custom.some((each) => nameAttribute(each) === name))
    .map(([name, value]) => ({
      element: custom.find((each) => nameAttribute(each) === name),
      name,
      value: typeof value === 'string' ? value : `${value.name} (${value.size} bytes)`,
    }));
}

const isButton = (element: Element | undefined): element is HTMLButtonElement | HTMLInputElement =>
  element?.matches('button, input') === true;

const nameAttribute = (element: Element): string => attributeOf(element, 'name') ?? '';

let isReading = false;

/** Set while we read entries ourselves, which dispatches `formdata` like a submission. */
export const isReadingEntries = (): boolean => isReading;

/** Blocks the page's `formdata` listeners: some send the form as soon as they get its data. */
export function entriesOf(
  form: HTMLFormElement,
  sender: Element | undefined,
): [string, FormDataEntryValue][] {
  const stop = (event: Event) => event.stopImmediatePropagation();
  const roots: EventTarget[] = [window, Node.prototype.getRootNode.call(form)];
  for (const root of roots) root.addEventListener('formdata', stop, { capture: true });
  isReading = true;
  try {
    return [...(isButton(sender) && sender.form === form ? dataWith(form, sender) : new FormData(form))];
  } catch {
    // The page is already constructing this form's entry list.
    return [];
  } finally {
    isReading = false;
    for (const root of roots) root.removeEventListener('formdata', stop, { capture: true });
  }
}

/** Only a submit button may be passed. */
function dataWith(form: HTMLFormElement, sender: HTMLElement): FormData {
  try {
    return new FormData(form, sender);
  } catch {
    return new FormData(form);
  }
}
