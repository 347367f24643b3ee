import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
/** The guides name these ports, of the relay and of the demo shop. */
const PORTS = [7717, 7720];
const FREE_WITHIN_MS = 180_000;
const LOOK_AGAIN_MS = 500;

export interface Started extends AsyncDisposable {
  /** Drawbridge's data folder. */
  readonly data: string;
}

/** Runs the guides' first command as a person does, and resolves when its browser is lent. */
export async function npmStart(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Started> {
  await untilFree(Date.now() + FREE_WITHIN_MS);
  const data = await mkdtemp(join(tmpdir(), 'drawbridge-guides-'));
  const { DRAWBRIDGE_HOME: _, ...inherited } = process.env;
  const child = spawn('npm', ['start', ...(args.length === 0 ? [] : ['--', ...args])], {
    cwd: ROOT,
    env: { ...inherited, ...env, DRAWBRIDGE_HOME: data },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = once(child, 'close');
  process.once('exit', () => endGroup(child, 'SIGKILL'));
  let output = '';
  const lent = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        output += bytes;
        if (output.includes('Agents can use')) resolve();
      });
    void closed.then(() => reject(new Error(`npm start ended:\n${output}`)));
  });
  const end = async () => {
    endGroup(child, 'SIGTERM');
    await closed;
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await lent;
  } catch (error) {
    await end();
    throw error;
  }
  return { data, [Symbol.asyncDispose]: end };
}

/** Waits for another run of the same test to end. */
async function untilFree(until: number): Promise<void> {
  for (const port of PORTS) {
    while (!(await isFree(port))) {
      if (Date.now() > until)
        throw new Error(
          `Port ${port} is in use, and the guides name it. End that Drawbridge, and run again.`,
        );
      await passed(LOOK_AGAIN_MS);
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function endGroup({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has ended.
  }
}
