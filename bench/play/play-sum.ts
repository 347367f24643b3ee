import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printTable } from '../measure.ts';
import type { Result } from './play-run.ts';

/** Prints runs side by side, then the solved tasks of each kind. A task that was played twice counts as it ended last. */
export function printSum(folders: readonly string[]): void {
  const runs = folders.map((folder) => ({ folder, results: resultsOf(folder) }));
  const sum = (results: readonly Result[], of: (result: Result) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const solved = (results: readonly Result[]) =>
    `${sum(results, (result) => Number(result.solved))} of ${results.length}`;
  printTable(
    ['run', 'program', 'solved', 'calls', 'characters', 'tokens', 'pictures', 'questions', 's in calls'],
    runs.map(({ folder, results }) => [
      folder,
      results[0]?.program ?? '',
      solved(results),
      ...(['calls', 'characters', 'tokens', 'pictures', 'questions'] as const).map((count) =>
        sum(results, (result) => result[count]).toLocaleString('en'),
      ),
      (sum(results, ({ ms }) => ms) / 1000).toFixed(1),
    ]),
  );
  const kinds = [...new Set(runs.flatMap(({ results }) => results.map(({ kind }) => kind)))];
  console.log('');
  printTable(
    ['kind', ...runs.map(({ folder }) => folder)],
    kinds.map((kind) => [
      kind,
      ...runs.map(({ results }) => solved(results.filter((result) => result.kind === kind))),
    ]),
  );
  for (const { folder, results } of runs) {
    const lost = results.filter((result) => !result.solved).map(({ id }) => id);
    console.log(`\nnot solved in ${folder}: ${lost.join(', ') || 'none'}`);
  }
}

function resultsOf(folder: string): Result[] {
  const byId = new Map<string, Result>();
  for (const line of readFileSync(join(folder, 'results.jsonl'), 'utf8').split('\n')) {
    if (line === '') continue;
    const result: Result = JSON.parse(line);
    byId.set(result.id, result);
  }
  return [...byId.values()];
}
