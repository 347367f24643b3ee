import type { Readable } from 'node:stream';

/** Where a command reads and writes, passed in so that a test needs no process. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Without a line's end, where a person looks: for what changes in its place. */
  readonly write?: (text: string) => void;
  /** Only a terminal that a person looks at shows colours. */
  readonly colour?: boolean;
  /** How wide a line may be; 60 where nobody knows. */
  readonly columns?: number;
}

export type ExitCode = 0 | 1 | 2;

export interface Command {
  /** As typed: `wire check`. */
  readonly name: string;
  readonly summary: string;
  /** What `--help` shows below the summary. */
  readonly help: string;
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;
}

/** The words of the command line are off: exit code 2, and where to read more. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
