import { frameDocument, isFrame, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';

/**
 * The roots below a node that a MutationObserver on it does not see into: shadow roots, and the
 * documents of frames of our own origin.
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
