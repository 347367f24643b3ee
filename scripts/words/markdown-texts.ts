import type { Prose } from './source-texts.ts';

const BLOCK_START = /^\s*(?:#+\s|[-*+]\s|\d+\.\s|>|\|)/;

/** Paragraphs, headings, list items and table cells of a Markdown page; code blocks are left out. */
export function markdownTexts(page: string): Prose[] {
  const found: Prose[] = [];
  let paragraph: { line: number; text: string } | undefined;
  let fence: string | undefined;
  const add = (line: number, text: string): void => {
    if (text.trim() !== '') found.push({ kind: 'doc', line, text: text.trim() });
  };
  const flush = (): void => {
    if (paragraph !== undefined) add(paragraph.line, paragraph.text);
    paragraph = undefined;
  };
  for (const [index, row] of page.split('\n').entries()) {
    const line = index + 1;
    const [, mark] = /^\s*(```+|~~~+)/.exec(row) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark !== undefined || row.trim() === '' || BLOCK_START.test(row)) flush();
    if (mark !== undefined) fence = mark;
    else if (row.trim().startsWith('|')) for (const cell of row.split('|')) add(line, cell);
    else if (row.trim() !== '' && !row.startsWith('<!--')) {
      const text = row.replace(BLOCK_START, '');
      paragraph =
        paragraph === undefined ? { line, text } : { ...paragraph, text: `${paragraph.text}\n${text}` };
    }
  }
  flush();
  return found;
}
