export const code = (text: string): string => `\`${text}\``;

/** A bar would end the cell, also inside a code span. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** How GitHub makes an anchor of a heading: lower case, no punctuation, hyphens for spaces. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

export const link = (text: string, heading: string): string => `[${text}](#${anchorOf(heading)})`;

/** Digits in groups of three, the same on every machine. */
export const grouped = (value: number): string => value.toLocaleString('en-US');

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Blocks with one empty line between them and a line break at the end. */
export const page = (blocks: readonly string[]): string =>
  `${blocks.filter((block) => block !== '').join('\n\n')}\n`;

export const GENERATED = '<!-- Generated from the schemas by `npm run gen`. Do not edit. -->';
