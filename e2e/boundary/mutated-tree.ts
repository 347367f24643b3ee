import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Change, exportsOf, mutate } from '@drawbridge/testbed/mutation';

/** A small edit that disarms one defence of SECURITY.md, and the test that fails without it. */
export interface Mutant {
  readonly defence: string;
  /** A folder of sources, and a name that exactly one of its modules exports. */
  readonly of: readonly [folder: string, exported: string];
  readonly changes: readonly Change[];
  /** A test file and a part of the title. */
  readonly test: readonly [file: string, title: string];
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Messages of failed tests. */
  readonly messages: string;
}

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['apps', 'docs', 'e2e', 'maps', 'packages', 'scripts', 'testbed'];
const FILES = [
  'package.json',
  'package-lock.json',
  'vitest.config.ts',
  'tsconfig.base.json',
  'tsconfig.json',
];
const LEFT_OUT = /\/(?:node_modules|dist|\.cache)(?:\/|$)/;

/** A copy of the sources that runs their tests, with one mutant at a time. */
export async function copyTree() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'drawbridge-mutants-')));
  for (const name of COPIED)
    await cp(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(path),
    });
  for (const name of FILES) await cp(join(ROOT, name), join(folder, name));
  await linkModules(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const name of await ownModules())
    await symlink(join(ROOT, name, 'node_modules'), join(folder, name, 'node_modules'));

  /** Resolves with the tests of these files whose title contains one of the titles. */
  const run = async (files: readonly string[], titles: readonly string[]): Promise<Outcome> => {
    const report = join(folder, 'report.json');
    await rm(report, { force: true });
    const pattern = titles.map((title) => title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
    await ended(folder, [
      ...['run', ...files, '--testNamePattern', pattern, '--testTimeout=60000'],
      ...['--expect.poll.timeout=10000', '--reporter=json', `--outputFile.json=${report}`],
    ]);
    return outcomeOf(JSON.parse(await readFile(report, 'utf8')));
  };

  return {
    run,
    /** The outcome of the mutant's test with the mutant in place. */
    async runMutant({ of: [sources, exported], changes, test: [file, title] }: Mutant): Promise<Outcome> {
      const path = await moduleOf(join(folder, sources), exported);
      const source = await readFile(path, 'utf8');
      await writeFile(path, mutate(source, changes));
      try {
        return await run([file], [title]);
      } finally {
        await writeFile(path, source);
      }
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Our own packages are linked to the copy, all others to where they are installed. */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(join(to, '@drawbridge'), { recursive: true });
  for (const name of await readdir(from)) {
    if (name === 'drawbridge') await symlink('../apps/cli', join(to, name));
    else if (name !== '@drawbridge' && !name.startsWith('.')) await symlink(join(from, name), join(to, name));
  }
  for (const name of await readdir(join(from, '@drawbridge'))) {
    const path = await realpath(join(from, '@drawbridge', name));
    await symlink(path.replace(ROOT, dirname(to)), join(to, '@drawbridge', name));
  }
}

/** Workspaces with dependencies that nobody else has in this version. */
async function ownModules(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of ['apps', 'packages'])
    for (const name of await readdir(join(ROOT, place)))
      if (existsSync(join(ROOT, place, name, 'node_modules'))) found.push(join(place, name));
  return found;
}

/** The one module that exports this name. */
export async function moduleOf(folder: string, exported: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true });
  const paths = entries.filter((entry) => /(?<!\.test)\.ts$/.test(entry)).map((entry) => join(folder, entry));
  const found: string[] = [];
  for (const path of paths) if (exportsOf(await readFile(path, 'utf8')).includes(exported)) found.push(path);
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`${exported} is exported by ${found.length} modules of ${folder} instead of one.`);
  return only;
}

function ended(cwd: string, args: readonly string[]): Promise<void> {
  const { DRAWBRIDGE_DEEP: _, VITEST: __, VITEST_POOL_ID: ___, VITEST_WORKER_ID: ____, ...env } = process.env;
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd,
    env: { ...env, DRAWBRIDGE_NAMED: '1' },
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', () => resolve());
  });
}

interface Report {
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

function outcomeOf({ testResults }: Report): Outcome {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length,
    messages: failed.flatMap(({ failureMessages = [] }) => failureMessages).join('\n'),
  };
}
