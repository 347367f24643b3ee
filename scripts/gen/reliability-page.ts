import type { RecordTable, RunRecord } from '@drawbridge/testbed';
import type { GeneratedFile } from './file.ts';
import { code, grouped, page, table } from './markdown.ts';

const GENERATED = '<!-- Generated from `docs/reliability/*.json` by `npm run gen`. Do not edit. -->';

/** The long runs that were recorded last, one section each. */
export function generateReliability(runs: readonly RunRecord[]): GeneratedFile {
  return {
    path: 'docs/reference/reliability.md',
    text: page([
      GENERATED,
      '# Long runs',
      'Programs of `npm run deep` that take minutes to hours, as they ran last. A checker that reads only the clients’ logs and the ledger counts what was lost, doubled, reordered or swallowed; it finds each fault that is planted for it. `npm run deep -- --record FILE` writes a result here.',
      ...runs.flatMap(({ title, command, commit, day, cores, load, tables }) => [
        `## ${title}`,
        `${code(command)}, ${day}, commit ${code(commit)}, ${cores} cores at a load of ${load}.`,
        ...tables.map(tableOf),
      ]),
    ]),
  };
}

function tableOf(rows: RecordTable): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))];
  return table(
    ['', ...columns],
    Object.entries(rows).map(([name, row]) => [name, ...columns.map((column) => textOf(row[column]))]),
  );
}

const textOf = (value: number | string | undefined): string =>
  typeof value === 'number' ? grouped(value) : (value ?? '');
