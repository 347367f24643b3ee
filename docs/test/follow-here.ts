import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { follow } from './guide.ts';
import { isForFreshClone, isNotRun } from './not-run.ts';

/** Follows a page word for word in the current folder, with the programs on the PATH. */
const [page = ''] = process.argv.slice(2);
const markdown = await readFile(join(import.meta.dirname, '../..', page), 'utf8');
await using followed = await follow(markdown, {
  folder: process.cwd(),
  isRun: (command) => isForFreshClone(page, command) || !isNotRun(page, command),
});
for (const { line, output } of followed.misses) console.error(`Missing: ${line}\nIn:\n${output}`);
console.log(`${followed.commands.length} commands of ${page}`);
process.exitCode = followed.misses.length === 0 ? 0 : 1;
