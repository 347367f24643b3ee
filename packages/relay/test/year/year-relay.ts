import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./year-program.ts', import.meta.url));

export type YearOrder =
  | { readonly do: 'start'; readonly data: string; readonly now: number; readonly retentionDays: number }
  /** Records a session with that many events, then passes a day and waits until retention has deleted `forgets`. */
  | {
      readonly do: 'day';
      readonly session_id: string;
      readonly events: number;
      readonly forgets: string | undefined;
    }
  | { readonly do: 'backup'; readonly path: string }
  | { readonly do: 'stop' };

export interface Started {
  readonly url: string;
  readonly person: string;
  readonly proxy: string;
}

export interface DayEnd {
  readonly now: number;
  /** Resident memory of the relay's process. */
  readonly rss: number;
  /** Size of the ledger's file and its WAL. */
  readonly bytes: number;
}

export interface Refused {
  readonly refused: string;
}

export type YearAnswer = Started | DayEnd | Refused;

export interface YearRelay extends Started {
  readonly ask: (order: YearOrder) => Promise<DayEnd>;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

/** Starts a relay on this folder, at this time of the year; resolves with the reason if it refuses to. */
export async function startYearRelay(
  data: string,
  now: number,
  retentionDays: number,
): Promise<YearRelay | Refused> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (order: YearOrder) => child.stdin.write(`${JSON.stringify(order)}\n`);
  const answer = async (): Promise<YearAnswer> => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error('The relay ended by itself.');
    return JSON.parse(value);
  };
  say({ do: 'start', data, now, retentionDays });
  const started = await answer();
  if ('refused' in started) {
    await exited;
    return started;
  }
  if (!('url' in started)) throw new Error('The relay did not say where it listens.');
  return {
    ...started,
    async ask(order) {
      say(order);
      const ended = await answer();
      if (!('rss' in ended)) throw new Error('The relay did not say how the day ended.');
      return ended;
    },
    async stop() {
      say({ do: 'stop' });
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
