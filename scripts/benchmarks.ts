import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { withFigures } from './bench/compare.ts';
import { documentOf, minutes } from './bench/document.ts';
import { describeMachine, peerVersions } from './bench/machine.ts';
import { pageOf } from './bench/page.ts';
import { plotOf } from './bench/plot.ts';
import { type BenchRecords, type BenchRun, figuresOf, trustBenchRecords } from './bench/record.ts';
import { runBenchmark } from './bench/run.ts';
import { formattedJson } from './gen/json-text.ts';

/** Runs `npm run bench` once everything is installed. */

const root = join(import.meta.dirname, '..');
const RECORDS = join(root, 'docs/bench/figures.json');
const COMPARE = join(root, 'docs/compare.md');

interface Known {
  readonly limitMinutes: number;
  /** Flags for a run that shows that it works; its figures mean little. */
  readonly quick: readonly string[];
}

/** In run order. Limits are about twice the time on two idle cores. */
const KNOWN: Readonly<Record<string, Known>> = {
  page: { limitMinutes: 15, quick: ['--rounds', '3'] },
  act: { limitMinutes: 8, quick: ['--rounds', '5'] },
  task: { limitMinutes: 6, quick: ['--calls', '30'] },
  relay: { limitMinutes: 8, quick: ['--quick'] },
  cluster: { limitMinutes: 8, quick: ['--quick'] },
  proxy: { limitMinutes: 6, quick: ['--quick'] },
  web: { limitMinutes: 12, quick: ['--quick'] },
  extension: { limitMinutes: 10, quick: ['--loads', '5', '--seconds', '1'] },
  manifest: { limitMinutes: 6, quick: [] },
  protocol: { limitMinutes: 3, quick: [] },
};

const there = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const names = [...Object.keys(KNOWN), ...there.filter((name) => !(name in KNOWN))];

function usage(): string {
  const runs = existsSync(RECORDS) ? trustBenchRecords(readFileSync(RECORDS, 'utf8')).runs : [];
  const took = (name: string) => {
    const seconds = runs.find((run) => run.name === name)?.seconds;
    return seconds === undefined ? name : `${name} (${minutes(seconds)})`;
  };
  const all = runs.reduce((sum, { seconds }) => sum + seconds, 0);
  return `npm run bench               every benchmark, and one page of what they found${all === 0 ? '' : ` (${minutes(all)} the last time)`}
npm run bench -- NAME …     only these, with all that they have to say:
${inLines(names.map(took))}
npm run bench -- NAME --FLAG VALUE …    flags that are not below go to the benchmark

  --json           the page as data
  --write          write docs/bench and the tables of docs/compare.md; with names, renew only those
  --render         write them again from docs/bench/figures.json, and measure nothing
  --quick          few rounds: shows that it works, not how fast; what is written says so
  --corpus DIR     saved pages for the page benchmark
  --baseline FILE  a plain sketch of the semantic tree to hold it against

Each one measures us beside a peer or the machine's limit in the same run. One that does not end is ended.`;
}

const NAMES_A_LINE = 3;

function inLines(words: readonly string[]): string {
  const starts = words.keys().filter((at) => at % NAMES_A_LINE === 0);
  const lines = [...starts].map((at) => words.slice(at, at + NAMES_A_LINE).join(', '));
  return lines.map((line) => `${' '.repeat(28)}${line}`).join(',\n');
}

const OWN = {
  '--json': 0,
  '--write': 0,
  '--render': 0,
  '--quick': 0,
  '--help': 0,
  '--corpus': 1,
  '--baseline': 1,
};

interface Asked {
  readonly names: readonly string[];
  readonly own: ReadonlyMap<string, string>;
  readonly flags: readonly string[];
}

function readArgs(args: readonly string[]): Asked {
  const flagsFrom = args.findIndex((arg) => arg.startsWith('-'));
  const asked = flagsFrom < 0 ? args : args.slice(0, flagsFrom);
  const own = new Map<string, string>();
  const flags: string[] = [];
  for (let at = asked.length; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!(arg in OWN)) flags.push(arg);
    else own.set(arg, OWN[arg as keyof typeof OWN] === 1 ? (args[++at] ?? '') : '');
  }
  return { names: asked, own, flags };
}

async function main(args: readonly string[]): Promise<number> {
  const { names: asked, own, flags } = readArgs(args);
  const problem = problemWith(asked, flags);
  if (problem !== undefined || own.has('--help')) {
    if (problem !== undefined) console.error(`${problem}\n`);
    console.log(usage());
    return problem === undefined ? 0 : 2;
  }
  if (own.has('--render')) {
    write(trustBenchRecords(readFileSync(RECORDS, 'utf8')));
    return 0;
  }
  const isAll = asked.length === 0;
  const talk = isAll ? 'file' : own.has('--json') ? 'errors' : 'here';
  const runs: BenchRun[] = [];
  for (const name of isAll ? names : asked) {
    if (isAll) console.error(`${name} …`);
    const run = await runBenchmark({
      name,
      file: join(root, `bench/${name}.bench.ts`),
      flags: [...flagsOf(name, own), ...flags],
      isQuick: own.has('--quick') || flags.length > 0,
      limit: AbortSignal.timeout((KNOWN[name]?.limitMinutes ?? 6) * 60_000),
      talk,
      folder: join(root, '.cache/bench'),
    });
    runs.push(run);
    // Written after each benchmark, so that an aborted run keeps its results.
    if (own.has('--write')) write(merged(recordsOf(runs)));
    const failed = run.failed.map((what) => `; FAILED: ${what}`).join('');
    if (isAll) console.error(`  ${run.figures.length} figures in ${minutes(run.seconds)}${failed}`);
  }
  for (const { name, failed } of isAll ? [] : runs)
    for (const what of failed) console.error(`${name}: ${what}`);
  if (own.has('--json')) console.log(JSON.stringify(recordsOf(runs), null, 2));
  else if (isAll) console.log(`\n${pageOf(recordsOf(runs))}\n\nWhat each said: .cache/bench/NAME.log`);
  const isFine = runs.every(
    ({ failed, figures }) => failed.length === 0 && figures.every(({ met }) => met.must !== 'no'),
  );
  return isFine ? 0 : 1;
}

const recordsOf = (runs: readonly BenchRun[]): BenchRecords => ({
  machine: describeMachine(),
  peers: peerVersions(join(root, 'bench/package.json')),
  runs,
});

function problemWith(asked: readonly string[], flags: readonly string[]): string | undefined {
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) return `There is no benchmark called ${unknown.join(', ')}.`;
  if (asked.length === 0 && flags.length > 0)
    return `${flags[0]} is for one benchmark: say which, as in npm run bench -- ${names[0]} ${flags[0]} …`;
  return undefined;
}

function flagsOf(name: string, own: ReadonlyMap<string, string>): readonly string[] {
  const given = (flag: string) => {
    const value = own.get(flag);
    return value === undefined ? [] : [flag, value];
  };
  return [
    ...(name === 'page' ? [...given('--corpus'), ...given('--baseline')] : []),
    ...(own.has('--quick') ? (KNOWN[name]?.quick ?? []) : []),
  ];
}

/** Replaces the records of the benchmarks that ran and keeps the others from the same machine. */
function merged(records: BenchRecords): BenchRecords {
  if (!existsSync(RECORDS)) return records;
  const before = trustBenchRecords(readFileSync(RECORDS, 'utf8'));
  if (!isDeepStrictEqual(before.machine, records.machine)) return records;
  const kept = before.runs.filter(({ name }) => !records.runs.some((run) => run.name === name));
  const place = ({ name }: BenchRun) => names.indexOf(name);
  return { ...records, runs: [...kept, ...records.runs].toSorted((a, b) => place(a) - place(b)) };
}

function write(records: BenchRecords): void {
  mkdirSync(dirname(RECORDS), { recursive: true });
  writeFileSync(RECORDS, formattedJson(records));
  writeFileSync(join(root, 'docs/bench/README.md'), documentOf(records));
  writeFileSync(join(root, 'docs/bench/figures.svg'), plotOf(figuresOf(records)));
  writeFileSync(COMPARE, withFigures(readFileSync(COMPARE, 'utf8'), records));
}

process.exitCode = await main(process.argv.slice(2));
