import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testBrowsers } from './chromium.mjs';
import { type Coverage, coverageOf, summarise } from './spec/coverage.ts';
import { readDocument, type SpecDocument } from './spec/rules.ts';
import { recallRun, rememberRun, runTests, type TestRun } from './spec/test-run.ts';

const USAGE = `npm run spec                which rules of docs/spec a passing test shows
npm run spec -- --open      the same, with the text of every open rule
npm run spec -- --json      the same for machines
npm run spec -- --run       run every test first, whatever the last run found`;

const FOLDER = join(import.meta.dirname, '../docs/spec');
const RULE_TESTS = '\\[(BRG|MAN|CHT|INT|TSK)-\\d+\\]';

function readDocuments(): SpecDocument[] {
  return ['bridge', 'manifest', 'chat', 'interact', 'tasks'].map((name) =>
    readDocument(name, readFileSync(join(FOLDER, `${name}.md`), 'utf8')),
  );
}

/** The last full run if nothing changed since, else a run of the tests that name a rule, in the browsers of npm test. */
async function lastRun(): Promise<TestRun> {
  const last = recallRun();
  if (last !== undefined) return last;
  console.error(
    'The sources changed since the last full run: running the tests that name a rule, which takes minutes (Ctrl-C stops it) …',
  );
  Object.assign(process.env, await testBrowsers());
  return runTests({ pattern: RULE_TESTS, quiet: true });
}

function fullRun(): TestRun {
  const run = runTests({ quiet: false });
  rememberRun(run);
  return run;
}

function print({ documents, unknown }: Coverage, withText: boolean): void {
  for (const { name, open } of documents) {
    if (open.length === 0) continue;
    console.log(`\nopen in ${name}: ${summarise(open)}`);
    if (withText) for (const { id, text } of open) console.log(`  ${id}  ${text}`);
  }
  console.log(`\n${'document'.padEnd(10)}${'rules'.padStart(7)}${'shown'.padStart(7)}${'open'.padStart(7)}`);
  for (const { name, rules, shown, open } of documents) {
    const counts = [rules, shown, open.length].map((count) => String(count).padStart(7));
    console.log(name.padEnd(10) + counts.join(''));
  }
  for (const { id, title } of unknown) console.error(`No document has ${id}, named by the test: ${title}`);
}

function printJson({ documents }: Coverage): void {
  const lines = documents.map(({ open, ...rest }) => ({ ...rest, open: open.map(({ id }) => id) }));
  console.log(JSON.stringify({ documents: lines }));
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const documents = readDocuments();
  const run = args.includes('--run') ? fullRun() : await lastRun();
  const coverage = coverageOf(documents, run.tests);
  if (args.includes('--json')) printJson(coverage);
  else print(coverage, args.includes('--open'));
  const count = (status: string) => run.tests.filter((test) => test.status === status).length;
  if (args.includes('--run')) {
    console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
    for (const title of run.flaky)
      console.log(`  flaky${run.unknown.includes(title) ? '' : ' (known)'}: ${title}`);
    if (run.unknown.length > 0)
      console.log('A test that passes only when run again fails the run: find its cause and fix it.');
    if (!run.ok) return 1;
  }
  return coverage.unknown.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
