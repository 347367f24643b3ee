import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { TestResult } from './coverage.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache');
const RECORD = join(cache, 'test-run.json');
const REPORT = join(cache, 'vitest.json');
const REPORT_AGAIN = join(cache, 'vitest-again.json');
const KNOWN_FLAKES = join(import.meta.dirname, 'known-flakes.json');

export interface TestRun {
  readonly ok: boolean;
  readonly tests: readonly TestResult[];
  /** Tests that failed in the whole run and passed when their file ran again alone. */
  readonly flaky: readonly string[];
  /** Flaky tests without an entry in `known-flakes.json`: each fails the run. */
  readonly unknown: readonly string[];
}

/** An entry of `known-flakes.json`. */
export interface KnownFlake {
  readonly test: string;
  readonly cause: string;
  /** ISO date on which it was found. */
  readonly since: string;
}

interface VitestReport {
  readonly testResults: readonly FileReport[];
}

export interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

interface RunOptions {
  readonly pattern?: string;
  readonly quiet: boolean;
}

const SLOWEST_FILES = 10;

/** With more failing files than this, none is retried. */
const AGAIN_AT_MOST = 5;

/**
 * Runs the tests whose title matches `pattern` (all without one), with output to the terminal unless quiet.
 */
export function runTests(options: RunOptions): TestRun {
  const files = runOnce(options, REPORT);
  if (!options.quiet) printTimes(files);
  const failed = files.filter(hasFailed);
  const isWorthIt = failed.length > 0 && failed.length <= AGAIN_AT_MOST && failed.every(isFile);
  if (!isWorthIt) return verdict(files, [], []);
  console.error(
    `\nFlaky or broken? Once more, by themselves:\n${failed.map(({ name }) => `  ${name}`).join('\n')}`,
  );
  const again = runOnce(
    options,
    REPORT_AGAIN,
    failed.map(({ name }) => name),
  );
  return verdict(files, again, readKnownFlakes());
}

/** A test that passes only on retry fails the run unless it is a known flake. */
export function verdict(
  first: readonly FileReport[],
  again: readonly FileReport[],
  known: readonly KnownFlake[],
): TestRun {
  const repeated = new Map(again.map((file) => [file.name, file]));
  const kept = first.filter(({ name }) => !repeated.has(name));
  const last = [...kept, ...again];
  const flaky = first.filter((file) => hasFailed(file) && !hasFailed(repeated.get(file.name) ?? file));
  const titles = flaky.flatMap(failedTests);
  const unknown = titles.filter((title) => !known.some(({ test }) => test === title));
  return {
    ok: unknown.length === 0 && !last.some(hasFailed),
    tests: last.flatMap(resultsOf),
    flaky: titles,
    unknown,
  };
}

function readKnownFlakes(): readonly KnownFlake[] {
  return JSON.parse(readFileSync(KNOWN_FLAKES, 'utf8'));
}

function printTimes(files: readonly FileReport[]): void {
  const isBrowser = ({ name }: FileReport) => name.endsWith('.browser.test.ts');
  const projects = { unit: files.filter((file) => !isBrowser(file)), browser: files.filter(isBrowser) };
  for (const [project, its] of Object.entries(projects)) {
    const starts = its.flatMap(({ startTime }) => startTime ?? []);
    const ends = its.flatMap(({ endTime }) => endTime ?? []);
    if (starts.length === 0 || ends.length === 0) continue;
    const seconds = Math.round((Math.max(...ends) - Math.min(...starts)) / 1_000);
    console.log(`${project}: ${its.length} files in ${seconds} s`);
  }
  const slowest = files.map((file) => ({ ...file, seconds: secondsOf(file) }));
  slowest.sort((one, other) => other.seconds - one.seconds);
  console.log('slowest files:');
  for (const { name, seconds } of slowest.slice(0, SLOWEST_FILES))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${relative(root, name)}`);
}

const secondsOf = ({ startTime = 0, endTime = 0 }: FileReport): number => (endTime - startTime) / 1_000;

function runOnce(
  { pattern, quiet }: RunOptions,
  report: string,
  files: readonly string[] = [],
): readonly FileReport[] {
  mkdirSync(cache, { recursive: true });
  rmSync(report, { force: true });
  const args = ['run', ...files, '--reporter=json', `--outputFile.json=${report}`];
  if (!quiet) args.push('--reporter=default');
  if (pattern !== undefined) args.push('--testNamePattern', pattern);
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', quiet ? 'ignore' : 'inherit'],
  });
  const reported = readReport(report);
  // An error outside of every test fails a run in which each test passed.
  if (status !== 0 && !reported.some(hasFailed)) reported.push(brokenRun(status));
  return reported;
}

function readReport(path: string): FileReport[] {
  try {
    const report: VitestReport = JSON.parse(readFileSync(path, 'utf8'));
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

/** Stores the result of a full run until a source file changes. */
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
