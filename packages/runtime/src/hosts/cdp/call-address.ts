/** Argument fields that may hold an id, in order of precedence. */
const ID_FIELDS = ['anchor', 'id', 'element_id', 'region', 'token'];

/**
 * The prefix of the frame whose page code answers this call, from the first id in its arguments. Only the
 * first argument with an id counts, so that text to be typed is never read as an id. `f100_7` is in the frame
 * `f100_`; `f2_7` is in a frame that the main page's code reaches itself.
 */
export function addressOf([first, second]: readonly unknown[]): string {
  const other = idIn(second);
  const id = typeof first === 'string' && other === undefined ? first : (idIn(first) ?? other ?? first);
  return typeof id === 'string' ? (/^f[1-9]\d{2,8}_/.exec(id)?.[0] ?? '') : '';
}

function idIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const field of ID_FIELDS) {
    const id: unknown = Reflect.get(value, field);
    if (typeof id === 'string') return id;
  }
  return undefined;
}
