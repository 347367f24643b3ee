/** Applies `clean` to every text in JSON data; other values do not leave a page. */
export function cleanAnswer<Answer>(value: Answer, clean: (text: string) => string): Answer {
  // Only texts change, so the shape stays.
  return cleanValue(value, clean) as Answer;
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
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
  const cleaned = Number.isInteger(value) && text.length >= 3 ? clean(text) : text;
  return cleaned === text ? value : cleaned;
}
