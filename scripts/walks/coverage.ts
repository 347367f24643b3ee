import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Functions of one file that ran on every walk, named as in the source. */
export interface WalkedFile {
  readonly file: string;
  readonly functions: readonly string[];
}

const ROOT = join(import.meta.dirname, '../..');
const OURS = /^(packages|apps)\/[^/]+\/(src|serve)\//;
const REPETITIONS = 5;

/**
 * Walks several times and returns what ran each time, so timers that fire during one of them are not counted.
 * Warm-up is the caller's: the first walk of a process also runs code that is called once.
 */
export async function walkedFunctions(walk: () => Promise<void>): Promise<readonly WalkedFile[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let always: ReadonlyMap<string, Ran> | undefined;
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    await session.post('Profiler.takePreciseCoverage');
    await walk();
    const ran = ranFunctions((await session.post('Profiler.takePreciseCoverage')).result);
    always = always === undefined ? ran : new Map([...always].filter(([key]) => ran.has(key)));
  }
  session.disconnect();
  const byFile = Map.groupBy(always?.values() ?? [], ({ file }) => file);
  return [...byFile]
    .map(([file, functions]) => ({ file, functions: functions.map(({ name }) => name) }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

interface Ran {
  readonly file: string;
  readonly name: string;
}

interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

function ranFunctions(scripts: readonly Script[]): ReadonlyMap<string, Ran> {
  const ran = new Map<string, Ran>();
  for (const { url, functions } of scripts) {
    const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
    if (!OURS.test(file)) continue;
    for (const { functionName, ranges } of functions) {
      const { startOffset = 0, count = 0 } = ranges[0] ?? {};
      // The whole module is reported as a function at offset 0.
      if (count === 0 || startOffset === 0) continue;
      ran.set(`${file}:${startOffset}`, { file, name: functionName || `line ${lineAt(file, startOffset)}` });
    }
  }
  return ran;
}

/** Node strips types in place, so offsets are those of the source. */
const lineAt = (file: string, offset: number): number =>
  readFileSync(join(ROOT, file), 'utf8').slice(0, offset).split('\n').length;
