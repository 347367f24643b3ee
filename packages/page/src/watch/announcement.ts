import { elementsNamed, lineOf } from '../perceive/composed-tree.ts';
import { claimedRole } from '../perceive/role.ts';
import { isElement, isText, isUnseenTag, tidy } from '../perceive/text.ts';
import { isField } from '../secrets/secret-field.ts';
import type { EventKind } from './page-event.ts';
import { toneOf } from './wording.ts';

/** Urgency of a live region: https://www.w3.org/TR/wai-aria-1.2/#live_region_roles */
export type Loudness = 'alert' | 'status' | 'off' | 'none';

const LIVE_ROLES: Readonly<Record<string, Loudness>> = {
  alert: 'alert',
  alertdialog: 'alert',
  status: 'status',
  log: 'status',
  marquee: 'off',
  timer: 'off',
};

const CLIMB_LIMIT = 8;

/** The live region of an element, from its own or an ancestor's attributes only, so it is cheap. */
export function loudnessOf(element: Element): Loudness {
  for (const outer of lineOf(element).slice(0, CLIMB_LIMIT)) {
    const own = ownLoudness(outer);
    if (own !== undefined) return own;
  }
  return 'none';
}

function ownLoudness(element: Element): Loudness | undefined {
  if (element.localName === 'output' && !element.hasAttribute('aria-live')) return 'status';
  if (!element.hasAttribute('aria-live') && !element.hasAttribute('role')) return undefined;
  const live = element.getAttribute('aria-live');
  if (live === 'off') return 'off';
  const role = claimedRole(element) ?? '';
  if (Object.hasOwn(LIVE_ROLES, role)) return LIVE_ROLES[role];
  if (live === 'assertive') return 'alert';
  return live === 'polite' ? 'status' : undefined;
}

/** A longer text is content, whatever words it has. */
const MESSAGE_LIMIT = 200;

/** An error or success by its words; an alert in unknown words counts as an error. */
export function kindOf(text: string, loudness: Loudness, otherwise: EventKind): EventKind {
  const tone = text.length <= MESSAGE_LIMIT || loudness === 'alert' ? toneOf(text) : undefined;
  if (tone !== undefined) return tone;
  return loudness === 'alert' ? 'error' : otherwise;
}

export function isDialog(element: Element): boolean {
  const role = claimedRole(element);
  return element.localName === 'dialog' || role === 'dialog' || role === 'alertdialog';
}

/** The dialog's name from attributes and heading: a closed one has no accessible name. */
export function dialogName(dialog: Element): string {
  const given = tidy(dialog.getAttribute('aria-label') ?? '');
  if (given !== '') return given;
  const [named] = elementsNamed(dialog, 'aria-labelledby');
  const heading = named ?? dialog.querySelector('h1, h2, h3, h4, legend, [role=heading]');
  return (heading === null ? '' : wordsOf(heading)) || wordsOf(dialog);
}

const CONTROLS =
  'a[href], button, input, select, textarea, [role=button], [role=link], [role=menuitem], [role=option]';

/** Rows and cells are content: "paid" in a list of invoices is no success. */
const TABULAR = 'tr, td, th, tbody, [role=row], [role=cell], [role=gridcell], [role=rowgroup]';

/** A message may offer an "Undo"; an element with more controls is part of the page. */
export function isMessageLike(element: Element): boolean {
  if (element.matches(`${CONTROLS}, ${TABULAR}`)) return false;
  return element.childElementCount === 0 || element.querySelectorAll(CONTROLS).length <= 2;
}

/** The words of a node without reading style, because it runs while the page changes. */
export function wordsOf(node: Node, limit = 400): string {
  const words: string[] = [];
  gather(node, words, { left: limit });
  return tidy(words.join(' '));
}

function gather(node: Node, words: string[], budget: { left: number }): void {
  if (isText(node)) {
    words.push(node.data);
    budget.left -= node.data.length;
    return;
  }
  if (isElement(node) && (isUnseenTag(node) || isField(node) || node.hasAttribute('hidden'))) return;
  for (let child = node.firstChild; child !== null && budget.left > 0; child = child.nextSibling) {
    gather(child, words, budget);
  }
}
