import type { Command } from '../command.ts';

export interface CommandWords {
  /** As typed: `map check`. */
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly string[];
}

/** Flags come from a command's help. */
export const wordsOf = (commands: readonly Command[]): readonly CommandWords[] =>
  commands.map(({ name, summary, help }) => ({
    name,
    summary,
    flags: [...new Set([...optionLines(help).matchAll(/--[a-z][\w-]*/g)].map(([flag]) => flag)), '--help'],
  }));

/** The usage lines at the top, and lines that begin with an option. */
const optionLines = (help: string): string => {
  const [usage = '', ...rest] = help.split('\n\n');
  const options = rest.flatMap((part) => part.split('\n')).filter((line) => /^ {2}--/.test(line));
  const heads = options.map((line) => line.trim().split(/ {2,}/)[0] ?? '');
  return [usage, ...heads].join('\n');
};
