import { pageText } from '@drawbridge/protocol';

/**
 * Marks page text as data (INT-141). Nothing inside can close the fence or open another: its `<` is then
 * written `‹`.
 */
export function fenced(part: string, origin: string, text: string): string {
  return `<page part="${part}" origin="${pageText(origin).replaceAll('"', '%22')}">\n${pageText(text)}\n</page>`;
}

/** `https://shop.test`, without user info; other schemes are returned as they are. */
export function originOf(url: string): string {
  const [, scheme = '', authority] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#\\]*))?/i.exec(url) ?? [];
  if (authority === undefined) return `${scheme}:`;
  return `${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}`.toLowerCase();
}
