import type { Command } from '../command.ts';

export interface CommandWords {
  /** As typed: `map check`. */
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly string[];
}

/** A flag is what the help of a command names: help that left one out would be wrong, too. */
export const wordsOf = (commands: readonly Command[]): readonly CommandWords[] =>
  commands.map(({ name, summary, help }) => ({
    name,
    summary,
    flags: [...new Set([...optionLines(help).matchAll(/--[a-z][\w-]*/g)].map(([flag]) => flag)), '--help'],
  }));

/** The usage at its top, and the lines that begin with an option; not what is said about other commands. */
const optionLines = (help: string): string => {
  const [usage = '', ...rest] = help.split('\n\n');
  const options = rest.flatMap((part) => part.split('\n')).filter((line) => /^ {2}--/.test(line));
  const heads = options.map((line) => line.trim().split(/ {2,}/)[0] ?? '');
  return [usage, ...heads].join('\n');
};
