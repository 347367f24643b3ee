/** A result as lines for a person: `Count before: 0`, a list as items. */
export function valueLines(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => under('· ', valueLines(each)));
  if (typeof value !== 'object' || value === null) return [plain(value)];
  return Object.entries(value).flatMap(([key, inner]) => {
    const lines = valueLines(inner);
    const isShort = lines.length === 1 && (typeof inner !== 'object' || inner === null);
    return isShort ? [`${title(key)}: ${lines[0]}`] : [`${title(key)}:`, ...under('  ', lines)];
  });
}

/** Arguments of a tool in a sentence: `query “lamp”, quantity 2`. Other text stays as it is. */
export function argumentsText(json: string): string {
  const read = parsed(json);
  return isParts(read) ? inline(read) : json;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.map(inline).join(', ');
  if (!isParts(value)) return typeof value === 'string' ? `“${value}”` : plain(value);
  return Object.entries(value)
    .map(([key, each]) => `${key} ${isParts(each) ? `(${inline(each)})` : inline(each)}`)
    .join(', ');
}

/** Turns a program's JSON into lines for a person. Other text stays as it is. */
export function readableText(value: unknown): string {
  const read = typeof value === 'string' ? parsed(value) : value;
  return isParts(read) || typeof value !== 'string' ? valueLines(read).join('\n') : value;
}

const isParts = (value: unknown): value is object => typeof value === 'object' && value !== null;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** `count_before` and `countBefore` as `Count before`. */
function title(key: string): string {
  const words = key
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const under = (mark: string, [first = '', ...rest]: readonly string[]): readonly string[] => [
  mark + first,
  ...rest.map((line) => ' '.repeat(mark.length) + line),
];
