import type { Terminal } from '../command.ts';

const RETRY_MS = 1000;

/** Prints a message if the work takes long. */
export async function retryUntilReady<Result>(
  words: string,
  terminal: Pick<Terminal, 'printError'>,
  work: Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => terminal.printError(words), RETRY_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
