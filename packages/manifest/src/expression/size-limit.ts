import { isFunctionValue } from './function-value.ts';

/** Thrown where a value would outgrow what an isolate may hold. */
export class SizeLimit extends Error {
  override readonly name = 'SizeLimit';
  readonly limit: number;

  constructor(what: string, limit: number) {
    super(`${what} would grow beyond ${limit}`);
    this.limit = limit;
  }
}

export interface SizeLimits {
  /** How many items one list, or values one document, may have. */
  readonly maxItems: number;
  /** How long one text may be. */
  readonly maxChars: number;
}

/**
 * Refuses a value whose JSON would be too large, before anything of that size is allocated. Counts what
 * JSON would write: `[a, a]` twice over is four, so thirty such doublings of one list are a billion.
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
