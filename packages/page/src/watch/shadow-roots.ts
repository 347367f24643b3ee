import { frameDocument, isFrame, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';

/**
 * Roots below a node that a MutationObserver on it does not cover: shadow roots, and documents of same-origin
 * frames.
 */
export function hiddenRootsIn(
  node: Element | Document | ShadowRoot,
  shadowRootOf: ShadowRootOf,
): (ShadowRoot | Document)[] {
  const found: (ShadowRoot | Document)[] = [];
  const visit = (element: Element) => {
    const inside = isFrame(element) ? frameDocument(element) : shadowRootOf(element);
    if (inside === undefined) return;
    found.push(inside, ...hiddenRootsIn(inside, shadowRootOf));
  };
  if (isElement(node)) visit(node);
  node.querySelectorAll('*').forEach(visit);
  return found;
}
