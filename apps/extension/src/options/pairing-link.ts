/** The relay's address in a pairing link; undefined for other text. */
export function relayOf(link: string): string | undefined {
  const url = URL.parse(link.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || !/^#pair=.{8,}$/.test(url.hash)) return undefined;
  return url.origin;
}
