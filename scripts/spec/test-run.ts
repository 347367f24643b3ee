import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestResult } from './coverage.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache');
const RECORD = join(cache, 'test-run.json');
const REPORT = join(cache, 'vitest.json');

export interface TestRun {
  readonly ok: boolean;
  readonly tests: readonly TestResult[];
}

interface VitestReport {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs the tests whose title fits `pattern` (all without one) and reports to the terminal unless quiet. */
export function runTests({ pattern, quiet }: { pattern?: string; quiet: boolean }): TestRun {
  mkdirSync(cache, { recursive: true });
  rmSync(REPORT, { force: true });
  const args = ['run', '--reporter=json', `--outputFile.json=${REPORT}`];
  if (!quiet) args.push('--reporter=default');
  if (pattern !== undefined) args.push('--testNamePattern', pattern);
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', quiet ? 'ignore' : 'inherit'],
  });
  return { ok: status === 0, tests: readReport() };
}

function readReport(): TestResult[] {
  let report: VitestReport;
  try {
    report = JSON.parse(readFileSync(REPORT, 'utf8'));
  } catch {
    throw new Error('The test runner left no report: see its output above, or run npm test.');
  }
  return report.testResults.flatMap((file) => {
    const tests = file.assertionResults.map(({ fullName, status }) => ({
      title: fullName,
      status: asStatus(status),
    }));
    const brokenFile = file.status === 'failed' && tests.length === 0;
    return brokenFile ? [{ title: file.name, status: 'failed' as const }] : tests;
  });
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
