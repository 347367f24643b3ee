import { Readable } from 'node:stream';
import type { Terminal } from '../src/command.ts';
import { main } from '../src/main.ts';

/** A terminal with this input, and its output. */
export function terminalOf(input: string, colour = false) {
  const out: string[] = [];
  const errors: string[] = [];
  const terminal: Terminal = {
    stdin: Readable.from([input]),
    print: (line) => out.push(line),
    printError: (line) => errors.push(line),
    colour,
  };
  return { terminal, out, errors };
}

/** Runs a command like a shell, and returns its output. */
export async function drawbridge(args: readonly string[], input = '', colour = false) {
  const { terminal, out, errors } = terminalOf(input, colour);
  const code = await main(args, terminal);
  return { code, out, text: out.join('\n'), errors: errors.join('\n') };
}
