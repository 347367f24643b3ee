/** `crypto.randomUUID` is missing on plain http; `getRandomValues` is not. */
export function newPageId(): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
