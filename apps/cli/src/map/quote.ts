import type { Paint } from './paint.ts';

/** The line of a problem with a caret below it. Long lines are cut around it. */
export function quoteLine(text: string, line: number, column: number, width: number, paint: Paint): string[] {
  const source = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '').replaceAll('\t', ' ');
  const gutter = `  ${String(line)} | `;
  const { shown, caret } = cut(source, column - 1, width - gutter.length);
  return [
    `${paint.quiet(gutter)}${shown}`,
    `${paint.quiet(`  ${' '.repeat(String(line).length)} | `)}${' '.repeat(caret)}${paint.bad('^')}`,
  ];
}

const BEFORE = 12;

function cut(source: string, column: number, room: number): { shown: string; caret: number } {
  if (source.length <= room) return { shown: source, caret: column };
  const start = Math.max(0, Math.min(column - BEFORE, source.length - room + 1));
  const head = start > 0 ? '…' : '';
  const rest = source.slice(start + head.length);
  const space = room - head.length;
  const shown = rest.length > space ? `${rest.slice(0, space - 1)}…` : rest;
  return { shown: head + shown, caret: column - start };
}
