import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { TestResult } from './coverage.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache');
const RECORD = join(cache, 'test-run.json');
const REPORT = join(cache, 'vitest.json');

export interface TestRun {
  readonly ok: boolean;
  readonly tests: readonly TestResult[];
  /** Failed among all the others, passed when their file ran again by itself. Said aloud, as they want mending. */
  readonly unsteady: readonly string[];
}

interface VitestReport {
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

interface RunOptions {
  readonly pattern?: string;
  readonly quiet: boolean;
}

/** More than these is no accident of a busy machine. */
const AGAIN_AT_MOST = 3;

/** Runs the tests whose title fits `pattern` (all without one) and reports to the terminal unless quiet. */
export function runTests(options: RunOptions): TestRun {
  const files = runOnce(options, []);
  const failed = files.filter(hasFailed);
  if (failed.length === 0 || failed.length > AGAIN_AT_MOST || !failed.every(isFile)) return summed(files, []);
  console.error(`\nOnce more, by themselves:\n${failed.map(({ name }) => `  ${name}`).join('\n')}`);
  const again = runOnce(
    options,
    failed.map(({ name }) => name),
  );
  const steady = files.filter((file) => !hasFailed(file));
  return summed([...steady, ...again], again.some(hasFailed) ? [] : failed.flatMap(failedTests));
}

function runOnce({ pattern, quiet }: RunOptions, files: readonly string[]): readonly FileReport[] {
  mkdirSync(cache, { recursive: true });
  rmSync(REPORT, { force: true });
  const args = ['run', ...files, '--reporter=json', `--outputFile.json=${REPORT}`];
  if (!quiet) args.push('--reporter=default');
  if (pattern !== undefined) args.push('--testNamePattern', pattern);
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', quiet ? 'ignore' : 'inherit'],
  });
  const reported = readReport();
  // An error outside of every test fails a run in which each test passed.
  if (status !== 0 && !reported.some(hasFailed)) reported.push(brokenRun(status));
  return reported;
}

function readReport(): FileReport[] {
  try {
    const report: VitestReport = JSON.parse(readFileSync(REPORT, 'utf8'));
    return [...report.testResults];
  } catch {
    throw new Error('The test runner left no report: see its output above, or run npm test.');
  }
}

const brokenRun = (status: number | null): FileReport => ({
  name: `the test run itself (exit code ${status})`,
  status: 'failed',
  assertionResults: [],
});

const hasFailed = ({ status, assertionResults }: FileReport): boolean =>
  status === 'failed' || assertionResults.some((test) => test.status === 'failed');

const isFile = ({ name }: FileReport): boolean => isAbsolute(name);

const failedTests = (file: FileReport): string[] =>
  resultsOf(file)
    .filter(({ status }) => status === 'failed')
    .map(({ title }) => title);

function summed(files: readonly FileReport[], unsteady: readonly string[]): TestRun {
  return { ok: !files.some(hasFailed), tests: files.flatMap(resultsOf), unsteady };
}

function resultsOf(file: FileReport): TestResult[] {
  const tests = file.assertionResults.map(({ fullName, status }) => ({
    title: fullName,
    status: asStatus(status),
  }));
  const brokenFile = hasFailed(file) && tests.length === 0;
  return brokenFile ? [{ title: file.name, status: 'failed' }] : tests;
}

function asStatus(status: string): TestResult['status'] {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}

/** What a full run found, kept until a source file changes. */
export function rememberRun(run: TestRun): void {
  writeFileSync(RECORD, JSON.stringify({ sources: fingerprint(), run }));
}

export function recallRun(): TestRun | undefined {
  try {
    const { sources, run } = JSON.parse(readFileSync(RECORD, 'utf8'));
    return sources === fingerprint() ? run : undefined;
  } catch {
    return undefined;
  }
}

function fingerprint(): string {
  const git = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  if (git.status !== 0) return `no git: ${Date.now()}`;
  const hash = createHash('sha1');
  for (const file of git.stdout.toString().split('\0')) {
    if (file !== '') hash.update(file).update(contentOf(file));
  }
  return hash.digest('hex');
}

function contentOf(file: string): Buffer | string {
  try {
    return readFileSync(join(root, file));
  } catch {
    return 'deleted';
  }
}
