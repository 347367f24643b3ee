import { frameDocument, isFrame, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isField, isSecretField } from '../secrets/secret-field.ts';
import { PageError } from './page-error.ts';
import { requireAllowed, testsValue } from './selector-guard.ts';
import { splitPath } from './selector-text.ts';

/** Everything that a selector matches below a root, also in shadow roots; a root's own matches come first. */
export function queryDeep(root: ParentNode, selector: string, shadowRootOf: ShadowRootOf): Element[] {
  requireAllowed(selector);
  const [first = '', ...inner] = splitPath(selector);
  let found = queryRoots(root, first, shadowRootOf);
  for (const part of inner) {
    const insides = found.flatMap((element) => insideOf(element, shadowRootOf) ?? []);
    found = insides.flatMap((inside) => queryRoots(inside, part, shadowRootOf));
  }
  const unique = [...new Set(found)];
  return testsValue(selector)
    ? unique.filter((element) => !(isField(element) && isSecretField(element)))
    : unique;
}

/** What is inside a frame or a shadow host. */
export function insideOf(element: Element, shadowRootOf: ShadowRootOf): Document | ShadowRoot | undefined {
  return isFrame(element) ? frameDocument(element) : shadowRootOf(element);
}

function queryRoots(root: ParentNode, selector: string, shadowRootOf: ShadowRootOf): Element[] {
  return rootsIn(root, shadowRootOf).flatMap((one) => query(one, selector));
}

/** The nearest element around this one, or itself, that a selector matches. */
export function closestTo(element: Element, selector: string): Element | undefined {
  requireAllowed(selector);
  return reading(selector, () => element.closest(selector) ?? undefined);
}

const query = (root: ParentNode, selector: string): Element[] =>
  reading(selector, () => [...root.querySelectorAll(selector)]);

function reading<Result>(selector: string, work: () => Result): Result {
  try {
    return work();
  } catch {
    const message = `The browser cannot read the selector ${selector.slice(0, 80)}. Correct the map.`;
    throw new PageError('invalid_input', message, { reason: 'invalid_selector', selector });
  }
}

/** A root and every shadow root in it, in the order of their hosts. */
function rootsIn(root: ParentNode, shadowRootOf: ShadowRootOf): ParentNode[] {
  const roots = [root];
  for (const element of root.querySelectorAll('*')) {
    const shadow = shadowRootOf(element);
    if (shadow !== undefined) roots.push(...rootsIn(shadow, shadowRootOf));
  }
  return roots;
}
