/**
 * What one walk over a page asks again and again, by the question. Opened before a walk and closed after it,
 * because nothing here survives a change of the page; outside a walk every question is asked anew.
 */
let cache: Map<unknown, Map<unknown, unknown>> | undefined;

/** Runs a synchronous piece of work with caches; nested calls share the outer one's. */
export function withWalkCache<Result>(work: () => Result): Result {
  if (cache !== undefined) return work();
  cache = new Map();
  try {
    return work();
  } finally {
    cache = undefined;
  }
}

export function inWalk<Key, Value>(key: Key, question: (key: Key) => Value): Value {
  if (cache === undefined) return question(key);
  const known = cache.get(question) ?? new Map<unknown, unknown>();
  cache.set(question, known);
  // Only this question's answers are ever put under it.
  if (known.has(key)) return known.get(key) as Value;
  const value = question(key);
  known.set(key, value);
  return value;
}

export function styleOf(element: Element): CSSStyleDeclaration {
  return inWalk(element, styleNow);
}

function styleNow(element: Element): CSSStyleDeclaration {
  return getComputedStyle(element);
}
