import type { ReadStream } from 'node:tty';
import type { Terminal } from '../command.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ENDS = new Set(['\r', '\n', CTRL_C, CTRL_D]);

/**
 * Enter or Ctrl-C. A terminal sends Ctrl-C to the browser as well, which would end before it has said what is to
 * be seen, so until then the keys come to us alone.
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
