import { isEditable } from '../secrets/secret-field.ts';
import { hasTrait, type RoleTrait, roleOf } from './role.ts';
import { isElement } from './text.ts';
import { inWalk } from './walk-cache.ts';

/**
 * The role for the name library, whose own reading supports only the first lower-case word of `role`. The
 * build inserts it, see `../bundle/lean-libraries.ts`.
 * @public
 */
export function roleForName(element: Element): string | null {
  return inWalk(element, readRole);
}

/**
 * Answers the library's lists of roles that are named by content, or not at all.
 * @public
 */
export function hasNameTrait(node: Node, trait: RoleTrait): boolean {
  return isElement(node) && hasTrait(roleForName(node) ?? undefined, trait);
}

function readRole(element: Element): string | null {
  // Named by its content, which its own role does not express.
  if (element.localName === 'legend') return 'tooltip';
  const role = roleOf(element);
  if (element.hasAttribute('role') || element.localName === 'img') return role;
  // A generic tag may be named; an editable element counts as content, not as a value.
  return hasTrait(role, 'm') || (role === 'textbox' && isEditable(element)) ? null : role;
}

/**
 * Called only where a label may exist: to find labels by `for`, the browser scans the whole page.
 * @public
 */
export function labelsOf(element: Element): Element[] {
  if (!isLabelable(element) || (element.id === '' && element.closest('label') === null)) return [];
  return [...(element.labels ?? [])];
}

function isLabelable(element: Element): element is HTMLInputElement {
  return 'labels' in element;
}
