import type { Terminal } from '../command.ts';

const PATIENCE_MS = 1000;

/** Says what takes so long, if it does. */
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
