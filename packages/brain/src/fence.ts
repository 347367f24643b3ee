/** Tag characters spell text that nobody sees and models read: https://unicode.org/charts/PDF/UE0000.pdf */
const INVISIBLE = /[\u{E0000}-\u{E007F}]/gu;
/** Also with what nobody sees in it. The slash is grouped: a long gap would be read again and again otherwise. */
const FENCE_TAG = /<(?=[\s\p{Cf}]*(?:\/[\s\p{Cf}]*)?page\b)/giu;

/**
 * Text of a page, marked as data (INT-141). Nothing inside can close the fence or open another: where it tries,
 * its `<` is written `‹`.
 */
export function fenced(part: string, origin: string, text: string): string {
  return `<page part="${part}" origin="${plain(origin).replaceAll('"', '%22')}">\n${plain(text)}\n</page>`;
}

const plain = (text: string): string => text.replaceAll(INVISIBLE, '').replaceAll(FENCE_TAG, '‹');

/** `https://shop.test`, without whoever is named before an `@`; other schemes stand for themselves. */
export function originOf(url: string): string {
  const [, scheme = '', authority] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#\\]*))?/i.exec(url) ?? [];
  if (authority === undefined) return `${scheme}:`;
  return `${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}`.toLowerCase();
}
