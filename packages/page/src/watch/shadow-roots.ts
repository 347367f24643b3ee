import { frameDocument, isFrame, type ShadowRootOf } from '../perceive/composed-tree.ts';

/**
 * The roots below a node that a MutationObserver on it does not see into: shadow roots, and the
 * documents of frames of our own origin.
 */
export function hiddenRootsIn(node: ParentNode, shadowRootOf: ShadowRootOf): (ShadowRoot | Document)[] {
  const found: (ShadowRoot | Document)[] = [];
  const visit = (element: Element) => {
    const inside = isFrame(element) ? frameDocument(element) : shadowRootOf(element);
    if (inside === undefined) return;
    found.push(inside, ...hiddenRootsIn(inside, shadowRootOf));
  };
  if ('tagName' in node) visit(node as unknown as Element);
  node.querySelectorAll('*').forEach(visit);
  return found;
}
