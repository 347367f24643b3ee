/**
 * What one walk over a page asks again and again, by the question. Opened before a walk and closed after it,
 * because nothing here survives a change of the page; outside a walk every question is asked anew.
 */
let cache: Answers | undefined;

/** Answers of a walk, by the question. */
export type Answers = Map<unknown, Map<unknown, unknown>>;

/**
 * Runs a synchronous piece of work with caches; nested calls share the outer one's. `answers` are those that are
 * known, and it gets those that are found.
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
