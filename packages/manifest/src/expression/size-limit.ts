import { isFunctionValue } from './function-value.ts';

/** Thrown when a value would exceed the isolate's limits. */
export class SizeLimit extends Error {
  override readonly name = 'SizeLimit';
  readonly limit: number;

  constructor(what: string, limit: number) {
    super(`${what} would grow beyond ${limit}`);
    this.limit = limit;
  }
}

export interface SizeLimits {
  /** Maximum number of items in a list, or of values in a document. */
  readonly maxItems: number;
  /** Maximum length of a text. */
  readonly maxChars: number;
}

/**
 * Refuses a value whose JSON would be too large, before allocating it. Shared parts count each time: thirty
 * nested `[a, a]` are a billion values.
 */
export function refuseLargeDocument(value: unknown, { maxItems, maxChars }: SizeLimits): void {
  let items = 0;
  let chars = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    items++;
    if (typeof next === 'string') chars += next.length;
    if (items > maxItems) throw new SizeLimit('A document', maxItems);
    if (chars > maxChars) throw new SizeLimit('A document', maxChars);
    if (typeof next !== 'object' || next === null || isFunctionValue(next)) continue;
    const parts: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (items + waiting.length + parts.length > maxItems) throw new SizeLimit('A document', maxItems);
    for (const part of parts) waiting.push(part);
  }
}
