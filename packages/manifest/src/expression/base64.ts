/**
 * Replaces JSONata's own two functions, which need Node's Buffer or a window; a browser's worker has neither.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Encodes the low byte of each character, like Node's "binary". */
export function base64Encode(text: string): string {
  const quads: string[] = [];
  for (let at = 0; at < text.length; at += 3) {
    const [first, second, third] = [byteAt(text, at), byteAt(text, at + 1), byteAt(text, at + 2)];
    const bits = ((first ?? 0) << 16) | ((second ?? 0) << 8) | (third ?? 0);
    const quad = [18, 12, 6, 0].map((shift) => ALPHABET.charAt((bits >> shift) & 63)).join('');
    quads.push(
      second === undefined ? `${quad.slice(0, 2)}==` : third === undefined ? `${quad.slice(0, 3)}=` : quad,
    );
  }
  return quads.join('');
}

/** Skips characters outside the alphabet and accepts url-safe ones, like Node. */
export function base64Decode(text: string): string {
  const bytes: string[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    if (letter === '=') break;
    const value = ALPHABET.indexOf(letter === '-' ? '+' : letter === '_' ? '/' : letter);
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push(String.fromCharCode((bits >> held) & 0xff));
  }
  return bytes.join('');
}

const byteAt = (text: string, at: number): number | undefined =>
  at < text.length ? text.charCodeAt(at) & 0xff : undefined;
