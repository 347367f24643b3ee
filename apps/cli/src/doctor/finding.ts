import type { Terminal } from '../command.ts';
import { paintFor, widthOf, wrap } from '../map/paint.ts';

/** `note`: nothing is wrong, but worth knowing. */
export type Status = 'ok' | 'note' | 'bad';

export interface Finding {
  readonly about: string;
  readonly status: Status;
  readonly what: string;
  /** How to fix it. */
  readonly fix?: string;
}

export const ok = (about: string, what: string): Finding => ({ about, status: 'ok', what });
export const note = (about: string, what: string, fix?: string): Finding => ({
  ...{ about, status: 'note', what },
  ...(fix && { fix }),
});
export const bad = (about: string, what: string, fix: string): Finding => ({
  ...{ about, status: 'bad', what, fix },
});

const SIGNS: Readonly<Record<Status, string>> = { ok: 'ok', note: '--', bad: 'no' };
const INDENT = '   ';

export function findingLines({ status, what, fix }: Finding, terminal: Terminal): readonly string[] {
  const paint = paintFor(terminal);
  const tone = { ok: paint.good, note: paint.quiet, bad: paint.bad }[status];
  const width = widthOf(terminal);
  const [first = '', ...rest] = wrap(what, width - INDENT.length);
  return [
    `${tone(SIGNS[status])} ${first}`,
    ...rest.map((line) => INDENT + line),
    ...(fix === undefined
      ? []
      : wrap(fix, width - 2, INDENT).map((line, at) => (at === 0 ? arrow(line) : `  ${line}`))),
  ];
}

/** Marks a fix. */
const arrow = (line: string): string => `${INDENT}→ ${line.trimStart()}`;
