import { isEditable } from '../secrets/secret-field.ts';
import { hasTrait, type RoleTrait, roleOf } from './role.ts';
import { isElement } from './text.ts';
import { inWalk } from './walk-cache.ts';

/**
 * What the library that computes names takes for an element's role: its own reading knows only the first word of
 * `role`, in small letters. The build puts it there, see `../bundle/lean-libraries.ts`.
 * @public
 */
export function roleForName(element: Element): string | null {
  return inWalk(element, readRole);
}

/**
 * The same roles have a name by their content, or none, in the library's lists.
 * @public
 */
export function hasNameTrait(node: Node, trait: RoleTrait): boolean {
  return isElement(node) && hasTrait(roleForName(node) ?? undefined, trait);
}

function readRole(element: Element): string | null {
  // Named by what is in it, as no role of its own is.
  if (element.localName === 'legend') return 'tooltip';
  const role = roleOf(element);
  if (element.hasAttribute('role') || element.localName === 'img') return role;
  // A tag that says nothing of what to do with it may be named; what is edited in place is read, not taken as a value.
  return hasTrait(role, 'm') || (role === 'textbox' && isEditable(element)) ? null : role;
}

/**
 * Asked only where there may be one: to find those that point at it, the browser looks through the whole page.
 * @public
 */
export function labelsOf(element: Element): Element[] {
  if (!isLabelable(element) || (element.id === '' && element.closest('label') === null)) return [];
  return [...(element.labels ?? [])];
}

function isLabelable(element: Element): element is HTMLInputElement {
  return 'labels' in element;
}
