/** Whether a whole url fits a pattern in which `*` stands for any text, also none. Time is linear in each. */
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
