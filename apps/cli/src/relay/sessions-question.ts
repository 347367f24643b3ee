import { createInterface } from 'node:readline';
import type { Terminal } from '../command.ts';

/** Resolves true if the person types yes. */
export async function askYes(question: string, { stdin, printError }: Terminal): Promise<boolean> {
  if (stdin.isTTY !== true)
    throw new Error('There is no terminal to confirm in. Add --yes to delete without asking.');
  const asking = createInterface({ input: stdin });
  try {
    printError(question);
    const line = await new Promise<string>((resolve) => {
      asking.once('line', resolve);
      asking.once('close', () => resolve(''));
    });
    return line.trim().toLowerCase() === 'yes';
  } finally {
    asking.close();
  }
}
