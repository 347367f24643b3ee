import type { ReadStream } from 'node:tty';
import type { Terminal } from '../command.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ENDS = new Set(['\r', '\n', CTRL_C, CTRL_D]);

/**
 * Waits for Enter or Ctrl-C in raw mode: otherwise Ctrl-C would also end the browser before it has reported.
 */
export function untilEnter({ stdin }: Pick<Terminal, 'stdin'>): Promise<void> {
  return new Promise((resolve) => {
    const tty = isTty(stdin) ? stdin : undefined;
    const end = () => {
      stdin.off('data', hear).off('end', end).pause();
      tty?.setRawMode(false);
      resolve();
    };
    const hear = (data: Buffer | string) => {
      if ([...String(data)].some((key) => ENDS.has(key))) end();
    };
    tty?.setRawMode(true);
    stdin.on('data', hear).on('end', end).resume();
  });
}

const isTty = (stdin: Terminal['stdin']): stdin is ReadStream =>
  stdin.isTTY === true && 'setRawMode' in stdin;
