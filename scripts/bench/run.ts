import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type BenchRun, trustRecords } from './record.ts';

export interface RunOptions {
  readonly name: string;
  readonly file: string;
  readonly flags: readonly string[];
  readonly isQuick: boolean;
  /** Aborts when the time is up: the benchmark is killed and its figures so far are kept. */
  readonly limit: AbortSignal;
  /** Destination of its output: `here`, or a file beside its records. */
  readonly talk: 'here' | 'errors' | 'file';
  readonly folder: string;
}

const GRACE_MS = 10_000;

/** Runs a benchmark in a child process. Always resolves, whatever happens to the child. */
export async function runBenchmark(options: RunOptions): Promise<BenchRun> {
  const { name, file, flags, limit, talk, folder } = options;
  mkdirSync(folder, { recursive: true });
  const records = join(folder, `${name}.jsonl`);
  rmSync(records, { force: true });
  const log = talk === 'file' ? openSync(join(folder, `${name}.log`), 'w') : undefined;
  const out = log ?? (talk === 'errors' ? 2 : 'inherit');
  const before = loadNow();
  const began = performance.now();
  // Detached process group: browsers and relays that it started are killed with it.
  const child = spawn(process.execPath, [file, ...flags], {
    stdio: ['ignore', out, log ?? 'inherit'],
    detached: true,
    env: { ...process.env, DRAWBRIDGE_BENCH_RECORDS: records },
  });
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The whole group has already exited.
    }
  };
  const interrupt = () => {
    kill('SIGTERM');
    setTimeout(() => {
      kill('SIGKILL');
      process.exit(130);
    }, 1_000);
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  let end: NodeJS.Timeout | undefined;
  const tooLong = () => {
    kill('SIGTERM');
    end = setTimeout(() => kill('SIGKILL'), GRACE_MS);
  };
  limit.addEventListener('abort', tooLong, { once: true });
  const words = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? wordsOfCode(code) : `it was ended by ${signal}`),
    );
  });
  clearTimeout(end);
  limit.removeEventListener('abort', tooLong);
  const problem = limit.aborted ? 'it took too long and was ended' : words;
  kill('SIGKILL');
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
  if (log !== undefined) closeSync(log);
  return gathered(options, records, problem, (performance.now() - began) / 1_000, [before, loadNow()]);
}

/** Exit code 1 is a missed must, or a failure that the benchmark has reported itself. */
const wordsOfCode = (code: number | null): string | undefined =>
  code === 0 || code === 1 ? undefined : `it ended with code ${code}`;

function gathered(
  { name, isQuick }: RunOptions,
  file: string,
  problem: string | undefined,
  seconds: number,
  load: BenchRun['load'],
): BenchRun {
  const records = trustRecords(textOf(file));
  // A figure may be recorded again when more peers were measured.
  const figures = new Map(
    records.flatMap((each) => ('figure' in each ? [[each.figure.id, each.figure] as const] : [])),
  );
  const failed = records.flatMap((each) => ('failed' in each ? [each.failed] : []));
  if (problem !== undefined) failed.push(problem);
  if (figures.size === 0 && failed.length === 0) failed.push('it measured nothing');
  return {
    name,
    day: new Date().toISOString().slice(0, 10),
    isQuick,
    seconds: Math.round(seconds),
    load,
    figures: [...figures.values()],
    didNotRun: [
      ...new Set(records.flatMap((each) => ('didNotRun' in each ? [withoutPaths(each.didNotRun)] : []))),
    ],
    failed: failed.map(withoutPaths),
  };
}

/** Removes paths, so that records do not reveal whose machine it was. */
const withoutPaths = (words: string): string => words.replaceAll(/(?<![\w/@])(?:\/[\w.@-]+){2,}/g, '…');

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const loadNow = (): number => Number((loadavg()[0] ?? 0).toFixed(2));
