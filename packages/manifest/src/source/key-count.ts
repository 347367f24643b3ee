import { endOfString } from '@drawbridge/protocol/manifest';

/**
 * Whether an object has a duplicate key, of which JSON.parse silently keeps the last. Comparing counts is
 * much cheaper than storing every key.
 */
export const hasDuplicateKeys = (text: string, value: unknown): boolean => keysInText(text) !== keysIn(value);

const COLON = 58;
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** In JSON, only a key is a string followed by a colon. */
function keysInText(text: string): number {
  let keys = 0;
  let start = text.indexOf('"');
  while (start >= 0) {
    const end = endOfString(text, start);
    if (end < 0) return keys;
    let after = end + 1;
    while (isSpace(text.charCodeAt(after))) after++;
    if (text.charCodeAt(after) === COLON) keys++;
    start = text.indexOf('"', after);
  }
  return keys;
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  let keys = Array.isArray(value) ? 0 : inner.length;
  for (const item of inner) if (typeof item === 'object') keys += keysIn(item);
  return keys;
}
