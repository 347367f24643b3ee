/**
 * Caches repeated computations of one walk over a page. Opened before a walk and closed after it, because no
 * answer survives a change of the page; outside a walk nothing is cached.
 */
let cache: Answers | undefined;

/** Cached answers of a walk, by question. */
export type Answers = Map<unknown, Map<unknown, unknown>>;

/**
 * Runs synchronous work with caches; nested calls share the outer one. `answers` supplies known answers and
 * receives new ones.
 */
export function withWalkCache<Result>(work: () => Result, answers: Answers = new Map()): Result {
  if (cache !== undefined) return work();
  cache = answers;
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
  // Only answers of this question are stored under it.
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
