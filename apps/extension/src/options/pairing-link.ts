/** Where the relay is that a pairing link leads to; undefined for what is no such link. */
export function relayOf(link: string): string | undefined {
  const url = URL.parse(link.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || !/^#pair=.{8,}$/.test(url.hash)) return undefined;
  return url.origin;
}
