import { isSecretField } from '../secrets/secret-field.ts';

const MOST_INSIDE = 20;
const LONGEST_OVERLAY = 80;
const CONTROL = 'a[href], button, input, select, textarea, summary, [role], [onclick], [tabindex]';

/** Texts that a person reads on a control but that differ from its element's text, or from its order. */
export function paintedWordsOf(control: Element, text: string): string[] {
  return [
    ...overlaid(control),
    ...letters(control, text),
    ...reversed(control),
    ...used(control),
    ...fixed(control),
  ];
}

/** Texts of siblings that are painted over or under its middle, or with their own middle on it. */
const overlaid = (control: Element): string[] =>
  textsOver(control, [...(control.parentElement?.children ?? [])]);

/** Texts of these that a person reads on the control. */
export function textsOver(control: Element, others: readonly Element[]): string[] {
  const own = control.getBoundingClientRect();
  return others
    .slice(0, 2 * MOST_INSIDE)
    .filter((each) => each !== control && !each.contains(control) && isShortText(each))
    .filter((each) => {
      const box = each.getBoundingClientRect();
      return holdsMiddle(box, own) || holdsMiddle(own, box);
    })
    .map((each) => each.textContent ?? '');
}

function holdsMiddle(box: DOMRect, { left, right, top, bottom }: DOMRect): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
}

function isShortText(element: Element): boolean {
  const { length } = (element.textContent ?? '').trim();
  if (length === 0 || length > LONGEST_OVERLAY || element.matches(`script, style, template, ${CONTROL}`))
    return false;
  return element.querySelector(CONTROL) === null;
}

/** One box per letter: the rendered text has a line for each. */
function letters(control: Element, text: string): string[] {
  const isSplit = text.split(/\s+/).filter((word) => [...word].length === 1).length >= 3;
  return isSplit ? [control.textContent ?? ''] : [];
}

/** https://www.w3.org/TR/css-writing-modes-3/#unicode-bidi */
function reversed(control: Element): string[] {
  const view = control.ownerDocument.defaultView;
  return [control, ...[...control.getElementsByTagName('*')].slice(0, MOST_INSIDE)]
    .filter((each) => {
      const style = view?.getComputedStyle(each);
      return style?.direction === 'rtl' && style.unicodeBidi.includes('override');
    })
    .map((each) => [...(each.textContent ?? '')].reverse().join(''));
}

/** A drawing defined elsewhere in the document. */
function used(control: Element): string[] {
  return [...control.querySelectorAll('use')].slice(0, MOST_INSIDE).map((use) => {
    const address = use.getAttribute('href') ?? use.getAttribute('xlink:href') ?? '';
    return address.startsWith('#')
      ? (control.ownerDocument.getElementById(address.slice(1))?.textContent ?? '')
      : '';
  });
}

/** Read-only fields that look like text. */
function fixed(control: Element): string[] {
  if (!control.matches('input[readonly], textarea[readonly]') || isSecretField(control)) return [];
  return [control.getAttribute('placeholder') ?? '', String(Reflect.get(control, 'value') ?? '')];
}
