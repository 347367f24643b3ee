import type { Box } from './visibility.ts';

/**
 * What one walk over a page asks again and again. Opened before a walk and closed after it, because
 * nothing here survives a change of the page; outside a walk every question is asked anew.
 */
interface WalkCache {
  readonly styles: Map<Element, CSSStyleDeclaration>;
  readonly names: Map<Element, string>;
  readonly secrets: Map<Element, boolean>;
  readonly viewports: Map<Document, Box>;
}

let cache: WalkCache | undefined;
let depth = 0;

/** Runs a synchronous piece of work with caches; nested calls share the outer one's. */
export function withWalkCache<Result>(work: () => Result): Result {
  if (depth === 0) cache = { styles: new Map(), names: new Map(), secrets: new Map(), viewports: new Map() };
  depth++;
  try {
    return work();
  } finally {
    depth--;
    if (depth === 0) cache = undefined;
  }
}

export function styleOf(element: Element): CSSStyleDeclaration {
  return cached(cache?.styles, element, styleNow);
}

export function cachedName(element: Element, compute: (element: Element) => string): string {
  return cached(cache?.names, element, compute);
}

export function cachedSecrecy(element: Element, compute: (element: Element) => boolean): boolean {
  return cached(cache?.secrets, element, compute);
}

export function cachedViewport(document: Document, compute: (document: Document) => Box): Box {
  return cached(cache?.viewports, document, compute);
}

function cached<Key, Value>(
  known: Map<Key, Value> | undefined,
  key: Key,
  compute: (key: Key) => Value,
): Value {
  const before = known?.get(key);
  if (before !== undefined) return before;
  const value = compute(key);
  known?.set(key, value);
  return value;
}

function styleNow(element: Element): CSSStyleDeclaration {
  return getComputedStyle(element);
}
