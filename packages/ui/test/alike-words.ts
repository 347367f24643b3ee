/** Texts of words with arguments, called with a text, with counts, and with the names of an audit entry. */
function saidBy(words: (...args: unknown[]) => unknown): readonly (string | undefined)[] {
  const names = { who: 'Xy', of: (name: string) => (name === 'how' ? '' : 'Xy') };
  return ['Xy', 0, 1, 5, names].map((sample) => {
    try {
      const said = words(sample, sample, sample);
      return typeof said === 'string' && said !== sample ? said : undefined;
    } catch {
      // These words take another argument.
      return undefined;
    }
  });
}

/** Paths of texts that are the same in both languages. */
export function alikeIn(one: object, other: object, path = ''): readonly string[] {
  return Object.entries(one).flatMap(([key, value]) => {
    const said: unknown = Reflect.get(other, key);
    if (typeof value === 'function') {
      const translated = saidBy(Reflect.get(other, key));
      const isAlike = saidBy(value).some((text, at) => text !== undefined && text === translated[at]);
      return isAlike ? [path + key] : [];
    }
    if (typeof value === 'object') return alikeIn(value, Object(said), `${path}${key}.`);
    return typeof value === 'string' && value === said ? [path + key] : [];
  });
}
