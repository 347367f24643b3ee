import { pageText } from '@drawbridge/protocol';

/**
 * Text of a page, marked as data (INT-141). Nothing inside can close the fence or open another: where it tries,
 * its `<` is written `‹`.
 */
export function fenced(part: string, origin: string, text: string): string {
  return `<page part="${part}" origin="${pageText(origin).replaceAll('"', '%22')}">\n${pageText(text)}\n</page>`;
}

/** `https://shop.test`, without whoever is named before an `@`; other schemes stand for themselves. */
export function originOf(url: string): string {
  const [, scheme = '', authority] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#\\]*))?/i.exec(url) ?? [];
  if (authority === undefined) return `${scheme}:`;
  return `${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}`.toLowerCase();
}
