/** Argument fields that may hold an id, in order of precedence. */
const ID_FIELDS = ['anchor', 'id', 'element_id', 'region', 'token'];

/**
 * The prefix of the frame whose page code answers this call, from the first id in its arguments. Only the
 * first argument with an id counts, so that text to be typed is never read as an id.
 */
export function addressOf(args: readonly unknown[]): string {
  const [first, second] = args;
  const id = typeof first === 'string' && !hasId(second) ? first : (idIn(first) ?? idIn(second) ?? first);
  return typeof id === 'string' ? prefixOf(id) : '';
}

/** `f100_7` is in the frame `f100_`; `f2_7` is in a frame that the main page's code reaches itself. */
function prefixOf(id: string): string {
  return /^f[1-9]\d{2,8}_/.exec(id)?.[0] ?? '';
}

function hasId(value: unknown): boolean {
  return idIn(value) !== undefined;
}

function idIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const field of ID_FIELDS) {
    const id: unknown = Reflect.get(value, field);
    if (typeof id === 'string') return id;
  }
  return undefined;
}
