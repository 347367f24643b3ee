import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as passed } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDeferred } from '@drawbridge/base';

const PROGRAM = fileURLToPath(new URL('./relay-program.ts', import.meta.url));

export interface Minting {
  readonly role: 'person' | 'proxy' | 'agent' | 'runtime';
  readonly scopes: readonly string[];
}

/** Successive relay processes on one folder. */
export interface RelayLives {
  /** Starts the next one; resolves with the tokens once it listens. */
  readonly begin: (mint?: readonly Minting[]) => Promise<readonly string[]>;
  readonly kill: () => Promise<void>;
  /** Stops its process for this time, as a starved machine does. */
  readonly freeze: (ms: number) => Promise<void>;
  /** Stops the last one as a service manager does. */
  readonly stop: () => Promise<void>;
  /** Address of the running relay; waits for the next one when none runs. */
  readonly url: () => Promise<string>;
  readonly close: () => void;
}

interface Life {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly next: () => Promise<Answer>;
}

interface Answer {
  readonly url: string;
  readonly tokens: readonly string[];
}

export interface LivesOptions {
  /** A program that runs it, with its arguments. */
  readonly under?: readonly string[];
  /** True to load the next process while one runs. */
  readonly spare?: boolean;
}

export function createRelayLives(
  folder: string,
  { under = [], spare = true }: LivesOptions = {},
): RelayLives {
  const [command = process.execPath, ...args] = [...under, process.execPath, PROGRAM];
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
  };
  const all = new Set<Life['child']>();
  const load = (): Life => {
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    all.add(child);
    // A write to a killed process fails, and that is expected.
    child.stdin.on('error', () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return {
      child,
      next: async () => {
        const { value } = await lines.next();
        if (value === undefined) throw new Error('The relay ended before it was killed.');
        return trustAnswer(value);
      },
    };
  };

  let coming: Life | undefined = load();
  let living: Life | undefined;
  let up = createDeferred<string>();

  const end = async (how: (life: Life) => void): Promise<void> => {
    if (living === undefined) return;
    const life = living;
    living = undefined;
    up = createDeferred<string>();
    const ended = once(life.child, 'exit');
    how(life);
    await ended;
  };

  return {
    async begin(mint = []) {
      const life = coming ?? load();
      await life.next();
      life.child.stdin.write(`${JSON.stringify({ data: join(folder, 'data'), mint })}\n`);
      const { url, tokens } = await life.next();
      coming = spare ? load() : undefined;
      living = life;
      up.resolve(url);
      return tokens;
    },
    kill: () => end(({ child }) => child.kill('SIGKILL')),
    freeze: async (ms) => {
      living?.child.kill('SIGSTOP');
      await passed(ms);
      living?.child.kill('SIGCONT');
    },
    stop: () => end(({ child }) => child.stdin.end('\n')),
    url: () => up.promise,
    close: () => {
      for (const child of all) child.kill('SIGKILL');
    },
  };
}

function trustAnswer(line: string): Answer {
  return JSON.parse(line);
}
