import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pageChromiumPath } from '@drawbridge/testbed';
import { expect, onTestFinished } from 'vitest';

/** The commands find the browser that the tests use. */
process.env['CHROME_PATH'] ??= pageChromiumPath();

const SHOP_MAP = fileURLToPath(new URL('../../../../maps/shop/actions.json', import.meta.url));
export const PROGRAM = fileURLToPath(new URL('../../bin/drawbridge.mjs', import.meta.url));

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The demo shop's map for a shop at another address. */
export function shopMapFile(origin: string): string {
  const map: { surface: object } = JSON.parse(readFileSync(SHOP_MAP, 'utf8'));
  const file = join(temporaryFolder(), 'actions.json');
  writeFileSync(file, JSON.stringify({ ...map, surface: { ...map.surface, origin } }));
  return file;
}

/** A map with an irreversible tool. */
export function orderMapFile(origin: string): string {
  const file = join(temporaryFolder(), 'actions.json');
  const steps = [{ id: 'page', primitive: 'page.info', args: {} }];
  const tool = {
    name: 'order.place',
    description: 'Place the order.',
    input_schema: { type: 'object' },
    workflow: { version: 1, expression_language: 'jsonata', steps, output: "{% {'ordered': true} %}" },
    x_actions: { effect: 'irreversible' },
  };
  const surface = { origin, name: 'Shop' };
  writeFileSync(file, JSON.stringify({ protocol: 'actions.json', version: 1, surface, tools: [tool] }));
  return file;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  /** Lines of standard output, parsed as JSON. */
  readonly output: Record<string, unknown>[];
  /** The first matching past or future line. */
  readonly line: (fits: (line: Record<string, unknown>) => boolean) => Promise<Record<string, unknown>>;
  readonly exited: Promise<unknown>;
}

/** Drawbridge in a child process. */
export function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const output: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (text) => {
    output.push(JSON.parse(text));
    for (const listener of listeners) listener();
  });
  return {
    child,
    output,
    exited,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = output.find(fits);
          if (found !== undefined) resolve(found);
          return found !== undefined;
        };
        if (look()) return;
        const listener = () => {
          if (look()) listeners.delete(listener);
        };
        listeners.add(listener);
        void exited.then(() => reject(new Error(`It ended and said: ${errors}`)));
      }),
  };
}

/** Child processes of a process. */
export function childrenOf(pid: number | undefined): number[] {
  const text = execFileSync('ps', ['-o', 'pid=,ppid=', '-A'], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? child : []));
}

/** Ignores zombies. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([]);
}

function isAlive(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return !state.trim().startsWith('Z');
  } catch {
    return false;
  }
}
