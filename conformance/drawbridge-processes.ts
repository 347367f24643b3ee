import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROGRAM } from './child.ts';

export type Line = Readonly<Record<string, unknown>>;

/** Commands of Drawbridge that run until they are ended. */
export function startProcesses(folder: string, env: Readonly<Record<string, string>>) {
  const children: ChildProcess[] = [];

  /** Resolves with the first line that fits. */
  const start = (args: readonly string[], fits: (line: Line) => boolean): Promise<Line> => {
    const own = ['--json', '--data', join(folder, 'drawbridge')];
    const child = spawn(process.execPath, [PROGRAM, ...args, ...own], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return new Promise((resolve, reject) => {
      child.on('exit', (code) => reject(new Error(`drawbridge ${args[0]} ended with ${code}.`)));
      createInterface({ input: child.stdout }).on('line', (text) => {
        const line: Line = JSON.parse(text);
        if (line['event'] === 'alarm') console.error(text);
        if (fits(line)) resolve(line);
      });
    });
  };

  const end = async (child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.removeAllListeners('exit');
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };

  return {
    start,
    /** Ends the one that was started last. */
    endLast: (signal: NodeJS.Signals) => end(children.at(-1), signal),
    async close() {
      for (const child of children.toReversed()) await end(child, 'SIGTERM');
    },
  };
}

export const isListening = ({ event }: Line): boolean => event === 'listening';
export const isConnected = ({ event, state }: Line): boolean => event === 'relay' && state === 'open';

/** Keeps an agent's own files in a folder. */
export const homeIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'].map((name) => [
      name,
      folder,
    ]),
  );
