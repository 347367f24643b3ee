import type { Terminal } from '../command.ts';

const PATIENCE_MS = 1000;

/** Prints a message if the work takes long. */
export async function patiently<Result>(
  words: string,
  terminal: Pick<Terminal, 'printError'>,
  work: Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => terminal.printError(words), PATIENCE_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
