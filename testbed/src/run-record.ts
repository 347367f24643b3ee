import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';

/** Rows of one table, by the name of the row. */
export type RecordTable = Readonly<Record<string, Readonly<Record<string, number | string>>>>;

/** Content of a file in `docs/reliability`: the result of one long run. */
export interface RunRecord {
  readonly title: string;
  /** Repeats the run. */
  readonly command: string;
  readonly commit: string;
  readonly day: string;
  readonly cores: number;
  /** One-minute load average at the end of the run. */
  readonly load: number;
  readonly tables: readonly RecordTable[];
}

const ROOT = join(import.meta.dirname, '../..');

/** Prints the tables of a long run; `npm run deep -- --record` also writes them to `docs/reliability`. */
export function recordRun(name: string, run: Pick<RunRecord, 'title' | 'command' | 'tables'>): void {
  console.log(run.title);
  for (const table of run.tables) console.table(table);
  if (process.env['DRAWBRIDGE_RECORD'] === undefined) return;
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', ':!docs/reliability');
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${changes === '' ? '' : ' with changes'}`;
  const record: RunRecord = {
    title: run.title,
    command: run.command,
    commit,
    day: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    tables: run.tables,
  };
  const folder = join(ROOT, 'docs/reliability');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(record, undefined, 2)}\n`);
}
