import type { Readable } from 'node:stream';

/** Input and output of a command, injectable for tests. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Prints without a line end, for status lines in a terminal. */
  readonly write?: (text: string) => void;
  /** Colours are for interactive terminals only. */
  readonly colour?: boolean;
  /** Line width; 60 if unknown. */
  readonly columns?: number;
}

export type ExitCode = 0 | 1 | 2;

export interface Command {
  /** As typed: `wire check`. */
  readonly name: string;
  readonly summary: string;
  /** Text of `--help` below the summary. */
  readonly help: string;
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;
}

/** Wrong arguments: exit code 2, with a pointer to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
