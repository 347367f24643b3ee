const LINE_WIDTH = 110;

/** JSON as this repository's formatter writes it: a list of plain values stays on one line if it fits. */
export const formattedJson = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replaceAll(PLAIN_LIST, onOneLine)}\n`;

const SCALAR = '(?:"(?:[^"\\\\\\n]|\\\\.)*"|-?[\\d.]+|true|false|null)';
const PLAIN_LIST = new RegExp(`^( *(?:"[^"\\n]*": )?)\\[\\n((?: *${SCALAR},?\\n)+) *\\](,?)$`, 'gm');

function onOneLine(list: string, head: string, items: string, comma: string): string {
  const line = `${head}[${items
    .split('\n')
    .map((item) => item.trim())
    .join(' ')
    .trim()}]${comma}`;
  return line.length <= LINE_WIDTH ? line : list;
}

/** JSON for people: everything that fits on one line is on one line. */
export function compactJson(value: unknown, width: number, indent = ''): string {
  const line = spaced(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= width) return line;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const items = Object.entries(value).map(([key, inner]) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return `${deeper}${name}${compactJson(inner, width - name.length, deeper)}`;
  });
  return `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
