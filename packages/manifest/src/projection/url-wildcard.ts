/** Whether the whole url matches a pattern in which `*` is any text. Linear in both lengths. */
export function fitsWildcard(pattern: string, url: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return url === pattern;
  if (!url.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = url.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return url.length - last.length >= from && url.endsWith(last);
}
