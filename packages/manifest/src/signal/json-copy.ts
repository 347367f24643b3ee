import { LIMITS } from '@drawbridge/protocol';

export const MAX_PAYLOAD_CHARS = 16_000;

/** A plain JSON copy of a page's value; undefined when it is no JSON or too large. */
export function jsonCopy(value: unknown): unknown {
  try {
    const text = JSON.stringify(value ?? null);
    if (text === undefined || text.length > MAX_PAYLOAD_CHARS) return undefined;
    const copy: unknown = JSON.parse(text);
    return nestsWithin(copy, LIMITS.depth.value) ? copy : undefined;
  } catch {
    return undefined;
  }
}

function nestsWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => nestsWithin(inner, levels - 1));
}
