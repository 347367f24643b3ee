import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Terminal } from '../command.ts';

export interface Tty extends Terminal {
  readonly close: () => void;
}

/**
 * The controlling terminal, where standard input and output belong to a protocol. Undefined if there is none,
 * as in a service.
 */
export function openTty(
  path = '/dev/tty',
  env: Readonly<Record<string, string | undefined>> = process.env,
): Tty | undefined {
  try {
    const output = openSync(path, 'w');
    const stdin = new ReadStream(openSync(path, 'r'));
    stdin.unref();
    const print = (line: string): void => void writeSync(output, `${line}\n`);
    return {
      stdin,
      print,
      printError: print,
      colour: env['NO_COLOR'] === undefined,
      close() {
        if (stdin.destroyed) return;
        stdin.destroy();
        closeSync(output);
      },
    };
  } catch {
    return undefined;
  }
}
