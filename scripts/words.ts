import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCEPTIONS } from './words/exceptions.ts';
import { type Budget, budgetOf, changesOf, type Tally, tallyRepository } from './words/tally.ts';

const USAGE = `npm run words                     fails where a package has more plain-words findings than its budget
npm run words -- --count          counts by package
npm run words -- --list [FOLDER]  every finding, or those below a folder
npm run words -- --write          sets the budget to the counts of now`;

const ROOT = join(import.meta.dirname, '..');
const BUDGET = join(import.meta.dirname, 'words/budget.json');

const readBudget = (): Budget => JSON.parse(readFileSync(BUDGET, 'utf8'));

function printCounts({ packages }: Tally): void {
  let all = 0;
  let broken = 0;
  for (const [name, { sentences, findings }] of [...packages].toSorted()) {
    all += sentences;
    broken += findings.length;
    console.log(`${name.padEnd(20)} ${String(findings.length).padStart(6)} of ${sentences} sentences`);
  }
  console.log(
    `${'all'.padEnd(20)} ${String(broken).padStart(6)} of ${all} (${((100 * broken) / all).toFixed(1)} %)`,
  );
}

/** Lists only findings in changed files: those are the ones that raised the count. */
function changedFiles(): ReadonlySet<string> | undefined {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  try {
    const base = git('merge-base', 'HEAD', 'main').trim();
    const files = git('diff', '--name-only', base) + git('ls-files', '-o', '--exclude-standard');
    return new Set(files.split('\n'));
  } catch {
    return undefined;
  }
}

function check(tally: Tally): boolean {
  const changes = changesOf(tally, readBudget());
  const changed = changes.some(({ was, is }) => is > was) ? changedFiles() : undefined;
  for (const { name, was, is } of changes) {
    if (is < was) {
      console.error(`${name}: ${is} findings, ${was} budgeted. Lower it: npm run words -- --write`);
      continue;
    }
    console.error(`${name}: ${is} findings, ${was} budgeted. Reword the new ones:`);
    for (const { file, line, rule, sentence } of tally.packages.get(name)?.findings ?? [])
      if (changed?.has(file) ?? true) console.error(`  ${file}:${line} ${rule}: ${sentence}`);
  }
  for (const { file, text } of tally.staleExceptions)
    console.error(`scripts/words/exceptions.ts: no sentence of ${file} has "${text}" any more. Remove it.`);
  return changes.length === 0 && tally.staleExceptions.length === 0;
}

const [flag, folder = ''] = process.argv.slice(2);
const tally = tallyRepository(ROOT, EXCEPTIONS);
if (flag === '--help') console.log(USAGE);
else if (flag === '--count') printCounts(tally);
else if (flag === '--list') {
  for (const { findings } of tally.packages.values())
    for (const { file, line, rule, sentence } of findings)
      if (file.startsWith(folder)) console.log(`${file}:${line} ${rule}: ${sentence}`);
} else if (flag === '--write') writeFileSync(BUDGET, `${JSON.stringify(budgetOf(tally), null, 2)}\n`);
else process.exitCode = check(tally) ? 0 : 1;
