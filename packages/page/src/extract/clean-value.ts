/** Walks JSON and puts every text through `clean`; a value that is no JSON does not come out of a page. */
export function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'number' || typeof value === 'bigint') return cleanNumber(Number(value), clean);
  if (Array.isArray(value)) return value.map((inner) => cleanValue(inner, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [clean(key), cleanValue(inner, clean)]),
  );
}

/** A code may be a number as well as a text. */
function cleanNumber(value: number, clean: (text: string) => string): unknown {
  const text = String(value);
  const cleaned = Number.isInteger(value) && text.length >= 4 ? clean(text) : text;
  return cleaned === text ? value : cleaned;
}

/**
 * Cleaning looks for secrets in the page each time. Most answers hold none, so they are tried as one text
 * first, and text by text only when that finds something. Only texts change, so the shape stays.
 */
export function cleanAnswer<Answer>(value: Answer, clean: (text: string) => string): Answer {
  const texts = new Set<string>();
  cleanValue(value, (text) => {
    texts.add(text);
    return text;
  });
  // Parted by a word: the end of one text and the beginning of the next must not make a phrase.
  const all = [...texts].join('\nx\n');
  if (clean(all) === all) return value;
  const known = new Map<string, string>();
  return cleanValue(value, (text) => {
    const cleaned = known.get(text) ?? clean(text);
    known.set(text, cleaned);
    return cleaned;
  }) as Answer;
}
