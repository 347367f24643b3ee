import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exception } from './exceptions.ts';
import { markdownTexts } from './markdown-texts.ts';
import { type Finding, findingsIn } from './rules.ts';
import { sourceTexts } from './source-texts.ts';

export interface PackageTally {
  readonly sentences: number;
  readonly findings: readonly Finding[];
}

export interface Tally {
  readonly packages: ReadonlyMap<string, PackageTally>;
  readonly staleExceptions: readonly Exception[];
}

/** Findings by package. */
export type Budget = Readonly<Record<string, number>>;

const PROSE = /\.(?:ts|tsx|mjs|md)$/;
/** Generated pages repeat sentences of the sources; the contracts' texts are not ours. */
const NOT_CHECKED = /(?:^|\/)(?:generated|reference|fixtures|node_modules)\/|\/words\/de\.ts$|^LICENSE/;
const TEST = /\.test\.tsx?$|(?:^|\/)(?:e2e|gallery|test)\//;

const packageOf = (file: string): string => {
  const [top = '', name] = file.split('/');
  if (name === undefined) return 'root';
  return top === 'packages' || top === 'apps' ? `${top}/${name}` : top;
};

export function listProse(root: string): string[] {
  const out = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return out.split('\n').filter((file) => PROSE.test(file) && !NOT_CHECKED.test(file));
}

export function tallyOf(
  files: readonly string[],
  read: (file: string) => string | undefined,
  exceptions: readonly Exception[],
): Tally {
  const packages = new Map<string, { sentences: number; findings: Finding[] }>();
  const used = new Set<Exception>();
  for (const file of files) {
    const text = read(file);
    if (text === undefined) continue;
    const texts = file.endsWith('.md') ? markdownTexts(text) : sourceTexts(text, TEST.test(file));
    const { findings, sentences } = findingsIn(file, texts);
    const name = packageOf(file);
    const tally = packages.get(name) ?? { sentences: 0, findings: [] };
    packages.set(name, tally);
    tally.sentences += sentences;
    for (const finding of findings) {
      const exception = exceptions.find((one) => one.file === file && finding.sentence.includes(one.text));
      if (exception === undefined) tally.findings.push(finding);
      else used.add(exception);
    }
  }
  return { packages, staleExceptions: exceptions.filter((one) => !used.has(one)) };
}

export function tallyRepository(root: string, exceptions: readonly Exception[]): Tally {
  return tallyOf(listProse(root), (file) => readIfThere(join(root, file)), exceptions);
}

/** Git may list a file that is deleted on disk. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function budgetOf({ packages }: Tally): Budget {
  const counts = [...packages].map(([name, { findings }]) => [name, findings.length] as const);
  return Object.fromEntries(
    counts.filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}

export interface Change {
  readonly name: string;
  readonly was: number;
  readonly is: number;
}

/** Packages whose count differs from the budget. */
export function changesOf(tally: Tally, budget: Budget): Change[] {
  const now = budgetOf(tally);
  const names = [...new Set([...Object.keys(budget), ...Object.keys(now)])].toSorted();
  return names
    .map((name) => ({ name, was: budget[name] ?? 0, is: now[name] ?? 0 }))
    .filter(({ was, is }) => was !== is);
}
