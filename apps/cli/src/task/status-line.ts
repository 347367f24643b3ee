import type { Terminal } from '../command.ts';
import { widthOf } from '../map/paint.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const TURN_MS = 120;
const CLEAR = '\r\u001b[2K';

/** Spinner on the last line of an interactive terminal, removed at the end. */
export function createStatusLine(terminal: Terminal) {
  const { write } = terminal;
  let turning: NodeJS.Timeout | undefined;
  let shown = '';
  let turn = 0;

  const draw = (): void => {
    const frame = FRAMES[turn++ % FRAMES.length];
    write?.(`${CLEAR}${frame} ${cut(shown, widthOf(terminal) - 3)}`);
  };
  const hide = (): void => {
    if (turning === undefined) return;
    clearInterval(turning);
    turning = undefined;
    write?.(CLEAR);
  };
  return {
    show(text: string): void {
      if (write === undefined) return;
      shown = text;
      turning ??= setInterval(draw, TURN_MS).unref();
      draw();
    },
    hide,
    /** Prints a line above it. */
    print(line: string): void {
      if (turning !== undefined) write?.(CLEAR);
      terminal.print(line);
      if (turning !== undefined) draw();
    },
  };
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;
