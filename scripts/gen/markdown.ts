export const code = (text: string): string => `\`${text}\``;

/** A bar ends the cell, even inside a code span. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Anchor that GitHub gives a heading: lower case, no punctuation, hyphens for spaces. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

export const link = (text: string, heading: string): string => `[${text}](#${anchorOf(heading)})`;

/** Groups digits by three, the same on every machine. */
export const grouped = (value: number): string => value.toLocaleString('en-US');

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Joins blocks with one empty line between them. */
export const page = (blocks: readonly string[]): string =>
  `${blocks.filter((block) => block !== '').join('\n\n')}\n`;

export const GENERATED = '<!-- Generated from the schemas by `npm run gen`. Do not edit. -->';
