import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pass } from 'node:timers/promises';
import { PROGRAM } from './child.ts';

/** A person's terminal, in which `drawbridge` runs. */
export interface PersonsTerminal {
  /** Everything that it has shown. */
  readonly shown: () => string;
  /** Resolves when its output contains this text after `from`. */
  readonly until: (text: string, from?: number) => Promise<void>;
  readonly type: (keys: string) => void;
  /** Sends Ctrl-C and returns the exit code. */
  readonly end: () => Promise<number | null>;
}

const CONTROL_C = '\u0003';
const LIMIT_MS = 60_000;

/** `script` of util-linux provides a terminal: https://man7.org/linux/man-pages/man1/script.1.html */
export function openTerminal(args: readonly string[]): PersonsTerminal {
  const command = [process.execPath, PROGRAM, ...args].map(quoted).join(' ');
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  let shown = '';
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    for (const listener of listeners) listener();
  });
  const says = (text: string, from: number) =>
    new Promise<true>((resolve) => {
      const look = () => {
        if (!shown.slice(from).includes(text)) return;
        listeners.delete(look);
        resolve(true);
      };
      listeners.add(look);
      look();
    });
  return {
    shown: () => shown,
    async until(text, from = 0) {
      const late = pass(LIMIT_MS, false, { ref: false });
      if (await Promise.race([says(text, from), ended.then(() => false), late])) return;
      throw new Error(`The terminal never said ${JSON.stringify(text)}. It said: ${shown}`);
    },
    type: (keys) => void child.stdin.write(keys),
    end() {
      if (child.exitCode === null) child.stdin.write(CONTROL_C);
      return ended;
    },
  };
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\\\''")}'`;
