/**
 * What one walk over a page asks again and again. Opened before a walk and closed after it, because
 * nothing here survives a change of the page; outside a walk every question is asked anew.
 */
interface WalkCache {
  readonly styles: Map<Element, CSSStyleDeclaration>;
  readonly names: Map<Element, string>;
}

let cache: WalkCache | undefined;
let depth = 0;

/** Runs a synchronous piece of work with caches; nested calls share the outer one's. */
export function withWalkCache<Result>(work: () => Result): Result {
  if (depth === 0) cache = { styles: new Map(), names: new Map() };
  depth++;
  try {
    return work();
  } finally {
    depth--;
    if (depth === 0) cache = undefined;
  }
}

export function styleOf(element: Element): CSSStyleDeclaration {
  const known = cache?.styles.get(element);
  if (known !== undefined) return known;
  const style = getComputedStyle(element);
  cache?.styles.set(element, style);
  return style;
}

export function cachedName(element: Element, compute: (element: Element) => string): string {
  const known = cache?.names.get(element);
  if (known !== undefined) return known;
  const name = compute(element);
  cache?.names.set(element, name);
  return name;
}
