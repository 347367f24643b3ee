import { Readable } from 'node:stream';
import { main } from './main.ts';

/** Runs the command as a shell would, and gives what it printed. */
export async function drawbridge(args: readonly string[], input = '', colour = false) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await main(args, {
    stdin: Readable.from([input]),
    print: (line) => out.push(line),
    printError: (line) => errors.push(line),
    colour,
  });
  return { code, out, text: out.join('\n'), errors: errors.join('\n') };
}
