import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Counts, createFileCoverage, type ScriptCoverage } from './coverage/measure.ts';

const root = join(import.meta.dirname, '..');
const PACKAGE = /^((?:packages|apps)\/[^/]+)\/(?:src|serve|build)\//;
const NO_SOURCE = /\.(test|d)\.tsx?$|\/generated\//;

function sources(): Map<string, ReturnType<typeof createFileCoverage>> {
  const found = new Map<string, ReturnType<typeof createFileCoverage>>();
  for (const folder of ['packages', 'apps']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(root, path);
      if (!/\.tsx?$/.test(name) || NO_SOURCE.test(name) || !PACKAGE.test(name)) continue;
      if (name.includes('node_modules')) continue;
      found.set(pathToFileURL(path).href, createFileCoverage(readFileSync(path, 'utf8')));
    }
  }
  return found;
}

function readReports(folder: string, files: ReturnType<typeof sources>): void {
  for (const name of readdirSync(folder)) {
    let result: readonly ScriptCoverage[];
    try {
      ({ result } = JSON.parse(readFileSync(join(folder, name), 'utf8')));
    } catch {
      // Truncated by a process that was killed while writing.
      continue;
    }
    for (const script of result) files.get(script.url)?.add(script);
  }
}

const sum = (counts: readonly Counts[]): Counts =>
  counts.reduce((all, each) => ({
    lines: all.lines + each.lines,
    coveredLines: all.coveredLines + each.coveredLines,
    branches: all.branches + each.branches,
    coveredBranches: all.coveredBranches + each.coveredBranches,
  }));

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

function print(files: ReturnType<typeof sources>, byFile: boolean): void {
  const rows = [...files].map(([url, file]) => {
    const name = relative(pathToFileURL(root).pathname, new URL(url).pathname);
    return { group: byFile ? name : (PACKAGE.exec(name)?.[1] ?? name), counts: file.counts() };
  });
  const groups = Object.entries(Object.groupBy(rows, ({ group }) => group));
  const width = Math.max(...groups.map(([name]) => name.length)) + 2;
  console.log(`${''.padEnd(width)}${'lines'.padStart(10)}${'branches'.padStart(10)}`);
  for (const [name, own = []] of groups.toSorted()) {
    const all = sum(own.map(({ counts }) => counts));
    const lines = percent(all.coveredLines, all.lines).padStart(10);
    console.log(name.padEnd(width) + lines + percent(all.coveredBranches, all.branches).padStart(10));
  }
}

const [reports = '', ...options] = process.argv.slice(2);
const files = sources();
readReports(reports, files);
print(files, options.includes('--files'));
