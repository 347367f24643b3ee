/** Returns an element's shadow root. Page code sees open ones; a host may supply closed ones. */
export type ShadowRootOf = (element: Element) => ShadowRoot | undefined;

export const openShadowRoot: ShadowRootOf = (element) => element.shadowRoot ?? undefined;

/**
 * The rendered children: a shadow root's instead of the host's own, a slot's assigned nodes in it. Walks
 * siblings, because iterating over `children` creates a collection for every element.
 */
export function eachRenderedChild(
  element: Element,
  shadowRootOf: ShadowRootOf,
  visit: (child: Element) => void,
): void {
  const visitors = isSlot(element) ? element.assignedElements() : [];
  if (visitors.length > 0) {
    visitors.forEach(visit);
    return;
  }
  let child = (shadowRootOf(element) ?? element).firstElementChild;
  for (; child !== null; child = child.nextElementSibling) visit(child);
}

/** The same with text nodes. */
export function renderedChildNodes(element: Element, shadowRootOf: ShadowRootOf): Iterable<Node> {
  const shadow = shadowRootOf(element);
  if (shadow !== undefined) return shadow.childNodes;
  if (isSlot(element)) {
    const visitors = element.assignedNodes();
    if (visitors.length > 0) return visitors;
  }
  return element.childNodes;
}

/** The document of a same-origin frame. */
export function frameDocument(frame: Element): Document | undefined {
  const inner: unknown = Reflect.get(frame, 'contentDocument');
  return isDocument(inner) ? inner : undefined;
}

export function isFrame(element: Element): boolean {
  return element.localName === 'iframe' || element.localName === 'frame';
}

export function composedParent(element: Element): Element | null {
  return element.assignedSlot ?? element.parentElement ?? hostOf(element) ?? null;
}

/** The element and its ancestors, the nearest first. */
export function lineOf(element: Element): Element[] {
  const line = [];
  for (let outer: Element | null = element; outer !== null; outer = composedParent(outer)) line.push(outer);
  return line;
}

export function isInShadow(element: Element): boolean {
  return hostOf(element) !== undefined;
}

export function hostOf(element: Element): Element | undefined {
  const root = element.getRootNode();
  return isShadowRoot(root) ? root.host : undefined;
}

// Tests by shape, as `instanceof` fails for objects of a frame's realm.
function isShadowRoot(node: Node): node is ShadowRoot {
  return node.nodeType === 11 && 'host' in node;
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'nodeType') === 9;
}

/** Elements that an attribute references by id, in the element's own tree. */
export function elementsNamed(element: Element, attribute: string): Element[] {
  const ids = element.getAttribute(attribute);
  const root = element.getRootNode();
  if (ids === null || !isIdRoot(root)) return [];
  return ids.split(/\s+/).flatMap((id) => root.getElementById(id) ?? []);
}

function isIdRoot(root: Node): root is Document | ShadowRoot {
  return 'getElementById' in root;
}

export function isLabel(element: Element): element is HTMLLabelElement {
  return element.localName === 'label' && 'control' in element;
}

function isSlot(element: Element): element is HTMLSlotElement {
  return element.localName === 'slot' && 'assignedElements' in element;
}
