import { stableText } from './json-value.ts';

/** Detects changes of a state. Not collision-resistant: two states may share a hash. */
export function stateHash(state: unknown): string {
  const text = stableText(state);
  let hash = 5381;
  // http://www.cse.yorku.ca/~oz/hash.html
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 33) ^ text.charCodeAt(at)) >>> 0;
  return `djb2:${hash.toString(16).padStart(8, '0')}`;
}
