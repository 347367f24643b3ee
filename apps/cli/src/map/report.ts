import type { Terminal } from '../command.ts';
import { counted, type Paint, paintFor, widthOf, wrap } from './paint.ts';

/** Shared by validate and lint. */
export interface ReportedProblem {
  readonly code: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** `error`, `warning`, or the severity of a lint rule. */
  readonly grade: string;
}

/** A problem's position, grade, message and line. */
export function printProblem(problem: ReportedProblem, text: string, terminal: Terminal): void {
  const { code, line, column, message, grade } = problem;
  const paint = paintFor(terminal);
  const width = widthOf(terminal);
  const position = `${line}:${column}`;
  terminal.print(`${gradeColour(grade, paint)(grade)} ${position} ${paint.quiet(code)}`);
  for (const part of wrap(message, width, '  ')) terminal.print(part);
  for (const part of quoteLine(text, line, column, width, paint)) terminal.print(part);
  terminal.print('');
}

const gradeColour = (grade: string, paint: Paint) =>
  ['error', 'critical', 'major'].includes(grade) ? paint.bad : paint.warn;

/** `2 errors, 1 warning`, or undefined for nothing. */
export function tally(grades: readonly string[]): string | undefined {
  const kinds = [...new Set(grades)];
  if (kinds.length === 0) return undefined;
  return kinds
    .map((kind) =>
      counted(grades.filter((grade) => grade === kind).length, PLURAL.get(kind) ?? `${kind} finding`),
    )
    .join(', ');
}

const PLURAL = new Map([
  ['error', 'error'],
  ['warning', 'warning'],
]);

/** The line of a problem with a caret below it. Long lines are cut around it. */
function quoteLine(text: string, line: number, column: number, width: number, paint: Paint): string[] {
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
